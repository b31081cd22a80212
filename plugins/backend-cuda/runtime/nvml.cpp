#include "nvml.hpp"

#include <dlfcn.h>

#include <array>

namespace pinion::cuda {
namespace {

// The part of nvml.h that is used; its functions keep their meaning by their versioned names.
using Handle = struct NvmlDevice*;
struct Utilization {
  unsigned gpu, memory;
};
struct MemoryInfo {
  unsigned long long total, free, used;
};
constexpr int success = 0;
constexpr int temperature_of_gpu = 0, uncorrected_errors = 1, since_driver_load = 0;

}  // namespace

struct Nvml::Library {
  void* library = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*by_address)(const char*, Handle*) = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  int (*temperature)(Handle, int, unsigned*) = nullptr;
  int (*utilization)(Handle, Utilization*) = nullptr;
  int (*memory)(Handle, MemoryInfo*) = nullptr;
  int (*link_generation)(Handle, unsigned*) = nullptr;
  int (*link_width)(Handle, unsigned*) = nullptr;
  int (*most_link_generation)(Handle, unsigned*) = nullptr;
  int (*most_link_width)(Handle, unsigned*) = nullptr;
  int (*ecc)(Handle, int, int, unsigned long long*) = nullptr;
  int (*mig)(Handle, unsigned*, unsigned*) = nullptr;

  template <class F>
  void find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(dlsym(library, name));
  }
};

Nvml::Nvml(std::unique_ptr<Library> library) : library_(std::move(library)) {}

// The library stays loaded, as plugins do.
Nvml::~Nvml() {
  library_->shutdown();
}

std::unique_ptr<Nvml> Nvml::open(std::string& why_not) {
  auto found = std::make_unique<Library>();
  found->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (found->library == nullptr) {
    why_not = "libnvidia-ml.so.1 was not found (it comes with the driver)";
    return nullptr;
  }
  found->find(found->init, "nvmlInit_v2");
  found->find(found->shutdown, "nvmlShutdown");
  found->find(found->by_address, "nvmlDeviceGetHandleByPciBusId_v2");
  if (found->init == nullptr || found->shutdown == nullptr || found->by_address == nullptr) {
    why_not = "libnvidia-ml.so.1 lacks nvmlInit_v2, nvmlShutdown or nvmlDeviceGetHandleByPciBusId_v2";
    return nullptr;
  }
  if (const int code = found->init(); code != success) {
    why_not = "libnvidia-ml.so.1 does not start: code " + std::to_string(code);
    return nullptr;
  }
  found->find(found->driver, "nvmlSystemGetDriverVersion");
  found->find(found->temperature, "nvmlDeviceGetTemperature");
  found->find(found->utilization, "nvmlDeviceGetUtilizationRates");
  found->find(found->memory, "nvmlDeviceGetMemoryInfo");
  found->find(found->link_generation, "nvmlDeviceGetCurrPcieLinkGeneration");
  found->find(found->link_width, "nvmlDeviceGetCurrPcieLinkWidth");
  found->find(found->most_link_generation, "nvmlDeviceGetMaxPcieLinkGeneration");
  found->find(found->most_link_width, "nvmlDeviceGetMaxPcieLinkWidth");
  found->find(found->ecc, "nvmlDeviceGetTotalEccErrors");
  found->find(found->mig, "nvmlDeviceGetMigMode");
  return std::unique_ptr<Nvml>(new Nvml(std::move(found)));
}

std::string Nvml::driver_version() const {
  std::array<char, 96> text{};
  if (library_->driver == nullptr || library_->driver(text.data(), text.size() - 1) != success) return {};
  return text.data();
}

GpuState Nvml::state(const std::string& pci_address) const {
  GpuState out;
  Handle gpu = nullptr;
  if (library_->by_address(pci_address.c_str(), &gpu) != success) return out;
  const auto ask = [gpu](int (*function)(Handle, unsigned*), std::optional<unsigned>& to) {
    unsigned value = 0;
    if (function != nullptr && function(gpu, &value) == success) to = value;
  };
  unsigned degrees = 0;
  if (library_->temperature != nullptr && library_->temperature(gpu, temperature_of_gpu, &degrees) == success)
    out.temperature = degrees;
  Utilization busy{};
  if (library_->utilization != nullptr && library_->utilization(gpu, &busy) == success) {
    out.busy = busy.gpu;
    out.memory_busy = busy.memory;
  }
  MemoryInfo memory{};
  if (library_->memory != nullptr && library_->memory(gpu, &memory) == success) {
    out.used_bytes = memory.used;
    out.total_bytes = memory.total;
  }
  ask(library_->link_generation, out.link_generation);
  ask(library_->link_width, out.link_width);
  ask(library_->most_link_generation, out.most_link_generation);
  ask(library_->most_link_width, out.most_link_width);
  unsigned long long errors = 0;
  if (library_->ecc != nullptr && library_->ecc(gpu, uncorrected_errors, since_driver_load, &errors) == success)
    out.ecc_errors = errors;
  unsigned mig = 0, pending = 0;
  if (library_->mig != nullptr && library_->mig(gpu, &mig, &pending) == success) out.mig = mig != 0;
  return out;
}

}  // namespace pinion::cuda
