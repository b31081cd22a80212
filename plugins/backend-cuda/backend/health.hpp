// What `pinion doctor` prints of CUDA devices: driver, visibility, state of each.
#pragma once

#include <pinion/plugin/interfaces.hpp>

#include "runtime.hpp"

namespace pinion::backend_cuda {

void examine_devices(const cuda::Found& found, const HealthSink& findings);

}  // namespace pinion::backend_cuda
