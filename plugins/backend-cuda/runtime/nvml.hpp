// What the driver's management library says of a GPU's state, for `pinion doctor`. It is opened at run time and may be
// absent; nothing else depends on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace pinion::cuda {

struct GpuState {                                        // each where the library answers
  std::optional<unsigned> temperature;                   // degrees Celsius
  std::optional<unsigned> busy, memory_busy;             // per cent of the last second
  std::optional<std::uint64_t> used_bytes, total_bytes;  // of device memory
  std::optional<unsigned> link_generation, link_width;   // of PCIe, as it runs now
  std::optional<unsigned> most_link_generation, most_link_width;
  std::optional<std::uint64_t> ecc_errors;  // uncorrected, since the driver was loaded
  std::optional<bool> mig;
};

class Nvml {
 public:
  // Null, and why, when the library is missing or does not start. [main]
  static std::unique_ptr<Nvml> open(std::string& why_not);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  std::string driver_version() const;  // "580.159.04"; "" when it does not say
  GpuState state(const std::string& pci_address) const;

 private:
  struct Library;
  explicit Nvml(std::unique_ptr<Library> library);
  std::unique_ptr<Library> library_;
};

}  // namespace pinion::cuda
