// A proving key of any size made on a device: the factors of its points come from the CPU (queries.hpp), their
// multiples of the generators are made there. It is the key that `params generate` writes for the same secrets, without
// the file.
#pragma once

#include <memory>
#include <pinion/backend_cuda/key_resident.hpp>
#include <pinion/groth16/queries.hpp>
#include <pinion/groth16/shape.hpp>

namespace pinion::bench {

// Throws pinion::Error. The device is current. [worker]
std::unique_ptr<backend_cuda::KeyResident> make_keys(backend_cuda::Device& device, const groth16::Shape& shape,
                                                     const groth16::ToxicWaste& waste, Executor& executor);

}  // namespace pinion::bench
