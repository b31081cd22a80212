#include "health.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "nvml.hpp"
#include "selection.hpp"

namespace pinion::backend_cuda {
namespace {

constexpr unsigned hot = 85;  // degrees Celsius, where cards begin to slow down

void examine_link(const std::string& what, const cuda::GpuState& state, const HealthSink& findings) {
  if (!state.link_width || !state.most_link_width) return;
  const std::string found =
      fmt::format("PCIe {} x{} (card: {} x{})", state.link_generation.value_or(0), *state.link_width,
                  state.most_link_generation.value_or(0), *state.most_link_width);
  // The generation falls while the card idles; the width does not.
  if (*state.link_width < *state.most_link_width)
    findings(PINION_HEALTH_WARN, what + " link", found, "seat the card in a slot with all lanes; check the riser");
  else
    findings(PINION_HEALTH_PASS, what + " link", found);
}

void examine_state(const std::string& what, const cuda::GpuState& state, const HealthSink& findings) {
  if (state.temperature)
    findings(*state.temperature >= hot ? PINION_HEALTH_WARN : PINION_HEALTH_PASS, what + " temperature",
             fmt::format("{} °C", *state.temperature),
             *state.temperature >= hot ? "look at the airflow; the card slows itself down" : "");
  if (state.busy && state.used_bytes && state.total_bytes)
    findings(PINION_HEALTH_PASS, what + " use",
             fmt::format("{} % busy, {:.1f} of {:.1f} GiB in use", *state.busy,
                         static_cast<double>(*state.used_bytes) / (1 << 30),
                         static_cast<double>(*state.total_bytes) / (1 << 30)));
  if (state.ecc_errors.value_or(0) != 0)
    findings(PINION_HEALTH_FAIL, what + " memory", fmt::format("{} uncorrected ECC errors", *state.ecc_errors),
             "reset the GPU (nvidia-smi -r); have the card replaced when it happens again");
  examine_link(what, state, findings);
}

}  // namespace

void examine_devices(const cuda::Found& found, const HealthSink& findings) {
  std::string no_nvml;
  const auto nvml = cuda::Nvml::open(no_nvml);
  if (nvml == nullptr)
    findings(PINION_HEALTH_WARN, "NVML", no_nvml, "temperature, use and link of the GPUs cannot be shown");
  if (found.driver_version != 0)
    findings(PINION_HEALTH_PASS, "driver",
             fmt::format("{}{}runs CUDA {}; built with {}", nvml ? nvml->driver_version() : "", nvml ? ", " : "",
                         cuda::version_text(found.driver_version), cuda::version_text(found.runtime_version)));
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"))
    findings(PINION_HEALTH_PASS, "CUDA_VISIBLE_DEVICES",
             fmt::format("\"{}\": {} device{}", visible, found.devices.size(), found.devices.size() == 1 ? "" : "s"));
  if (found.devices.empty())
    findings(PINION_HEALTH_FAIL, "devices", found.why_none,
             "or prove on the CPU: plugins.backends = [\"backend-cpu\"]");
  for (const auto& device : found.devices) {
    const std::string what = fmt::format("device {}", device.ordinal);
    findings(
        device.ineligible.empty() ? PINION_HEALTH_PASS : PINION_HEALTH_FAIL, what,
        fmt::format("{}, {}, {}, compute capability {}.{}{}{}", device.name, device.pci_address, uuid_text(device.uuid),
                    device.major, device.minor, device.ineligible.empty() ? "" : ": ", device.ineligible));
    if (nvml) examine_state(what, nvml->state(device.pci_address), findings);
  }
}

}  // namespace pinion::backend_cuda
