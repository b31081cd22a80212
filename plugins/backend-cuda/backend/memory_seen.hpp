// How the current device's driver knows a range of host memory, in the words of the ABI. Asks, and changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime.hpp"

namespace pinion::backend_cuda {

// One PINION_SEEN_, by the first and the last byte of `memory`: alike and, where the driver tells, of one allocation or
// registration; else mixed. What lies between them is not looked at. Nothing at all is unknown. [any]
cuda::Status memory_seen(std::uint32_t& out, std::span<const std::byte> memory);

}  // namespace pinion::backend_cuda
