// Which of the devices there are the operator wants: the option `devices`.
#pragma once

#include <string>
#include <vector>

#include "runtime.hpp"

namespace pinion::backend_cuda {

// "GPU-01234567-89ab-cdef-0123-456789abcdef", as nvidia-smi writes it.
std::string uuid_text(const cuda::Uuid& uuid);

// In the order of `wanted`: "all", or ordinals, UUIDs (their beginnings, with or without "GPU-"), PCI addresses (with
// or without the domain). Throws INVALID_CONFIG for one that names no device, several, or one twice. [main]
std::vector<cuda::FoundDevice> select_devices(const std::vector<cuda::FoundDevice>& found,
                                              const std::vector<std::string>& wanted);

}  // namespace pinion::backend_cuda
