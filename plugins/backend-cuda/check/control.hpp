// Control kernels: what the card can do at all. A benchmark's figures count when these agree with the recorded ones.
#pragma once

#include <cstddef>

#include "status.hpp"

namespace pinion::cuda::check {

// Multiplications of each kind that one call of rate() does, over all threads.
enum class Operation { wide, fr_multiply, fr_multiply_by_factor, fp_multiply, fp_square, fp_inverse };
double operations(Operation operation, unsigned multiprocessors);
// Enqueues register-resident chains of the operation; `sink` has control_sink_bytes.
inline constexpr std::size_t control_sink_bytes = std::size_t{64} << 20;
Status rate(Operation operation, unsigned multiprocessors, void* sink, Stream stream);

// to[i] = from[i], 16 bytes an access; bytes is a multiple of 16.
Status copy_kernel(void* to, const void* from, std::size_t bytes, Stream stream);

}  // namespace pinion::cuda::check
