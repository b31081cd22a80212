// What the driver knows of an address: its kind by the runtime; where its piece begins by the driver's own interface,
// which is looked up, since this plugin must load where there is no driver.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "launch.cuh"
#include "runtime.hpp"

namespace pinion::cuda {
namespace {

PointerFacts::Kind kind_of(cudaMemoryType type) {
  switch (type) {
    case cudaMemoryTypeUnregistered:
      return PointerFacts::Kind::pageable;
    case cudaMemoryTypeHost:
      return PointerFacts::Kind::pinned;
    case cudaMemoryTypeDevice:
      return PointerFacts::Kind::device;
    case cudaMemoryTypeManaged:
      return PointerFacts::Kind::managed;
  }
  return PointerFacts::Kind::unknown;
}

// 0 where the driver, which the runtime has loaded by now, does not tell.
std::uintptr_t piece_of(const void* at) {
  using Ask = CUresult (*)(void*, CUpointer_attribute, CUdeviceptr);
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return 0;
  const auto ask = reinterpret_cast<Ask>(dlsym(driver, "cuPointerGetAttribute"));
  CUdeviceptr begin = 0;
  const bool told = ask != nullptr && ask(&begin, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                          reinterpret_cast<CUdeviceptr>(at)) == CUDA_SUCCESS;
  dlclose(driver);
  return told ? static_cast<std::uintptr_t>(begin) : 0;
}

}  // namespace

Status pointer_facts(PointerFacts& out, const void* at) {
  cudaPointerAttributes attributes{};
  const cudaError_t code = cudaPointerGetAttributes(&attributes, at);
  if (code != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return checked(code, "asking what kind of memory it is");
  }
  out.kind = kind_of(attributes.type);
  out.piece = out.kind == PointerFacts::Kind::pageable ? 0 : piece_of(at);
  return {};
}

}  // namespace pinion::cuda
