// runtime.hpp over the CUDA runtime, which is linked statically: where libcuda is missing or older than the toolkit the
// plugin still loads, and says so.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "launch.cuh"
#include "runtime.hpp"
#include "visible_devices.hpp"

namespace pinion::cuda {
namespace {

// The oldest architecture that kernels were compiled for; newer ones run their PTX.
constexpr int least_capability = PINION_CUDA_LEAST_CAPABILITY;

Status status_of(cudaError_t code, const char* what) {
  return checked(code, what);
}

std::string why_none(cudaError_t code, const Found& found) {
  if (code == cudaErrorInsufficientDriver && found.driver_version == 0)
    return "no NVIDIA driver: libcuda.so.1 was not found or does not load; install the driver, or in a container pass "
           "the devices through (nvidia-container-toolkit)";
  if (code == cudaErrorInsufficientDriver)
    return "the NVIDIA driver runs CUDA " + version_text(found.driver_version) + " at most and this plugin needs " +
           version_text(found.runtime_version) + "; install a newer driver";
  if (code == cudaErrorSystemDriverMismatch)
    return "libcuda.so.1 and the loaded kernel module are of different versions; reboot, or reload the module";
  if (code == cudaErrorSystemNotReady)
    return "the driver is not ready (on NVSwitch machines: start nvidia-fabricmanager)";
  const std::string visible = explain_visible_devices(std::getenv("CUDA_VISIBLE_DEVICES"));
  if (code == cudaSuccess || code == cudaErrorNoDevice)
    return visible.empty()
               ? "the driver shows no device (nvidia-smi -L lists them; a GPU in MIG mode needs an instance)"
               : visible;
  return std::string("the driver does not start: ") + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")" +
         (visible.empty() ? "" : "; " + visible);
}

int numa_node_of(const std::string& pci_address) {
  std::ifstream file("/sys/bus/pci/devices/" + pci_address + "/numa_node");
  int node = -1;
  file >> node;
  return file ? node : -1;
}

std::string pci_address_of(const cudaDeviceProp& properties) {
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.0", static_cast<unsigned>(properties.pciDomainID),
                static_cast<unsigned>(properties.pciBusID), static_cast<unsigned>(properties.pciDeviceID));
  return text;
}

FoundDevice describe(int ordinal) {
  FoundDevice out;
  out.ordinal = ordinal;
  cudaDeviceProp properties{};
  if (const cudaError_t code = cudaGetDeviceProperties(&properties, ordinal); code != cudaSuccess) {
    out.name = "CUDA device " + std::to_string(ordinal);
    out.ineligible = std::string("it does not answer: ") + cudaGetErrorString(code);
    return out;
  }
  std::memcpy(out.uuid.data(), properties.uuid.bytes, out.uuid.size());
  out.name = properties.name;
  out.pci_address = pci_address_of(properties);
  out.total_bytes = properties.totalGlobalMem;
  out.major = properties.major;
  out.minor = properties.minor;
  out.numa_node = numa_node_of(out.pci_address);
  int mode = cudaComputeModeDefault;
  static_cast<void>(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, ordinal));
  if (10 * out.major + out.minor < least_capability)
    out.ineligible = "needs compute capability " + std::to_string(least_capability / 10) + "." +
                     std::to_string(least_capability % 10) + ", has " + std::to_string(out.major) + "." +
                     std::to_string(out.minor);
  else if (mode == cudaComputeModeProhibited)
    out.ineligible = "its compute mode is \"prohibited\"; nvidia-smi -c 0 allows work on it";
  return out;
}

}  // namespace

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Found find_devices() {
  Found found;
  static_cast<void>(cudaDriverGetVersion(&found.driver_version));
  found.runtime_version = CUDART_VERSION;
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    found.why_none = why_none(code, found);
    static_cast<void>(cudaGetLastError());
    return found;
  }
  for (int i = 0; i < count; ++i) found.devices.push_back(describe(i));
  return found;
}

Status make_current(int ordinal) {
  return status_of(cudaSetDevice(ordinal), "choosing the device");
}

Status free_bytes(std::uint64_t& out) {
  std::size_t free = 0, total = 0;
  const Status status = status_of(cudaMemGetInfo(&free, &total), "asking for free device memory");
  out = free;
  return status;
}

Trouble trouble_of(const Status& status) {
  switch (status.code()) {
    case cudaSuccess:
      return Trouble::none;
    case cudaErrorMemoryAllocation:
      return Trouble::out_of_memory;
    case Status::bad_argument:
    case Status::arena_too_small:
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorNotSupported:
    case cudaErrorNoKernelImageForDevice:
      return Trouble::ours;
    default:  // an error of the device stays: everything after it fails too
      return Trouble::lost;
  }
}

Memory::~Memory() {
  if (memory_ != nullptr) static_cast<void>(where_ == Where::device ? cudaFree(memory_) : cudaFreeHost(memory_));
}
Status Memory::make(Memory& out, Where where, std::size_t bytes) {
  Memory made;
  made.bytes_ = bytes;
  made.where_ = where;
  const Status status = where == Where::device ? status_of(cudaMalloc(&made.memory_, bytes), "allocating device memory")
                                               : status_of(cudaHostAlloc(&made.memory_, bytes, cudaHostAllocPortable),
                                                           "allocating page-locked memory");
  if (!status.ok()) {
    static_cast<void>(cudaGetLastError());  // not sticky: the next call starts afresh
    return status;
  }
  out = std::move(made);
  return {};
}

StreamOwner::~StreamOwner() {
  if (stream_ != nullptr) static_cast<void>(cudaStreamDestroy(stream_));
}
Status StreamOwner::make(StreamOwner& out) {
  StreamOwner made;
  PINION_TRY(status_of(cudaStreamCreateWithFlags(&made.stream_, cudaStreamNonBlocking), "making a stream"));
  out = std::move(made);
  return {};
}

Event::~Event() {
  if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
}
Status Event::make(Event& out) {
  Event made;
  PINION_TRY(status_of(cudaEventCreateWithFlags(&made.event_, cudaEventDefault), "making an event"));
  out = std::move(made);
  return {};
}
Status Event::record(Stream stream) {
  return status_of(cudaEventRecord(event_, stream), "marking a place in a stream");
}
Status Event::passed(bool& out) const {
  const cudaError_t code = cudaEventQuery(event_);
  out = code == cudaSuccess;
  return code == cudaErrorNotReady ? Status{} : status_of(code, "waiting for the device");
}
Status Event::hold(Stream stream) const {
  return status_of(cudaStreamWaitEvent(stream, event_, 0), "making a stream wait");
}
Status Event::since(const Event& from, float& milliseconds) const {
  return status_of(cudaEventElapsedTime(&milliseconds, from.event_, event_), "reading the device's clock");
}

Status copy_async(void* to, const void* from, std::size_t bytes, Stream stream, const char* what) {
  return copy(to, from, bytes, stream, what);
}
Status copy_rows_async(void* to, const void* from, std::size_t pitch, std::size_t width, std::size_t rows,
                       Stream stream, const char* what) {
  if (pitch == width) return copy(to, from, rows * width, stream, what);
  return status_of(cudaMemcpy2DAsync(to, pitch, from, pitch, width, rows, cudaMemcpyDefault, stream), what);
}
Status fill_async(void* at, int byte, std::size_t bytes, Stream stream, const char* what) {
  return fill(at, byte, bytes, stream, what);
}
Status synchronize(Stream stream, const char* what) {
  return wait(stream, what);
}

namespace {
__global__ void touch(unsigned* address) {
  *address = 1;
}
}  // namespace

Status touch_illegal_address(Stream stream) {
  PINION_TRY(launch("the drill's kernel", touch, {1, 1}, stream, reinterpret_cast<unsigned*>(std::uintptr_t{4096})));
  return wait(stream, "the drill's kernel");
}

}  // namespace pinion::cuda
