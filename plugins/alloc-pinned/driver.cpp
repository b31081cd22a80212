#include "driver.hpp"

#include <dlfcn.h>

#include <pinion/plugin/error.hpp>

namespace pinned {
namespace {

constexpr const char* what_to_do =
    "; install the NVIDIA driver and show the device to this process ([plugin.alloc-pinned] strategy = \"mlock\" tests "
    "without a device)";

template <class F>
void find(void* library, const std::string& file, const char* name, F*& function) {
  function = reinterpret_cast<F*>(::dlsym(library, name));
  if (function == nullptr)
    throw pinion::Error(PINION_UNSUPPORTED, file + " has no " + name + ": the driver is too old or no CUDA driver");
}

}  // namespace

Driver::Driver(const std::string& library) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw pinion::Error(PINION_UNSUPPORTED, std::string("no CUDA driver: ") + ::dlerror() + what_to_do);
  find(handle, library, "cuInit", init);
  find(handle, library, "cuDriverGetVersion", version);
  find(handle, library, "cuDeviceGetCount", device_count);
  find(handle, library, "cuDeviceGet", device);
  find(handle, library, "cuDeviceGetName", device_name);
  find(handle, library, "cuDeviceGetUuid_v2", device_uuid);
  find(handle, library, "cuDeviceGetPCIBusId", device_pci);
  find(handle, library, "cuDevicePrimaryCtxGetState", context_state);
  find(handle, library, "cuDevicePrimaryCtxRetain", context_retain);
  find(handle, library, "cuDevicePrimaryCtxRelease_v2", context_release);
  find(handle, library, "cuCtxPushCurrent_v2", context_push);
  find(handle, library, "cuCtxPopCurrent_v2", context_pop);
  find(handle, library, "cuMemHostRegister_v2", host_register);
  find(handle, library, "cuMemHostUnregister", host_unregister);
  find(handle, library, "cuMemHostAlloc", host_alloc);
  find(handle, library, "cuMemFreeHost", host_free);
  find(handle, library, "cuGetErrorName", error_name_);
  find(handle, library, "cuGetErrorString", error_string_);
  if (const int code = init(0); code != cuda_success)
    throw pinion::Error(PINION_UNSUPPORTED, "the CUDA driver does not start: " + error_text(code) + what_to_do, code);
  int count = 0;
  if (const int code = device_count(&count); code != cuda_success || count == 0)
    throw pinion::Error(PINION_UNSUPPORTED, std::string("the CUDA driver shows no device") + what_to_do, code);
}

bool kills_context(int code) {
  switch (code) {
    case 214:  // uncorrectable ECC error
    case 700:  // illegal address
    case 702:  // launch timeout
    case 709:  // context is destroyed
    case 710:  // assert
    case 714:  // hardware stack error
    case 715:  // illegal instruction
    case 716:  // misaligned address
    case 717:  // invalid address space
    case 718:  // invalid program counter
    case 719:  // launch failed
      return true;
    default:
      return false;
  }
}

std::string Driver::error_text(int code) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (error_name_(code, &name) != cuda_success || name == nullptr) return "CUDA error " + std::to_string(code);
  if (error_string_(code, &text) != cuda_success || text == nullptr) return name;
  return std::string(name) + " (" + text + ")";
}

void Driver::require(int code, const std::string& what) const {
  if (code != cuda_success) throw pinion::Error(PINION_INTERNAL, what + ": " + error_text(code), code);
}

}  // namespace pinned
