// From what kernels and runtime return to what the plugin throws: a status of the ABI, chosen by what the host should
// do, and a sentence that names the device.
#pragma once

#include <pinion/plugin/error.hpp>
#include <string>

#include "runtime.hpp"

namespace pinion::backend_cuda {

// OUT_OF_MEMORY: worth another try with less around; DEVICE_LOST: nothing will work on this device any more;
// INTERNAL: a fault of this plugin.
inline pinion_status code_of(const cuda::Status& status) {
  switch (cuda::trouble_of(status)) {
    case cuda::Trouble::out_of_memory:
      return PINION_OUT_OF_MEMORY;
    case cuda::Trouble::lost:
      return PINION_DEVICE_LOST;
    default:
      return PINION_INTERNAL;
  }
}

// Throws unless ok.
inline void require(const cuda::Status& status, const std::string& device) {
  if (status.ok()) return;
  const pinion_status code = code_of(status);
  throw Error(
      code,
      device + ": " + status.sentence() + (code == PINION_DEVICE_LOST ? "; the device is lost to this process" : ""),
      status.code());
}

}  // namespace pinion::backend_cuda
