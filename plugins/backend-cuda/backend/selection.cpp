#include "selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <pinion/plugin/error.hpp>

namespace pinion::backend_cuda {
namespace {

constexpr std::size_t least_uuid_digits = 4;  // of a beginning, so that no ordinal looks like one

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool names(const std::string& wanted, const cuda::FoundDevice& device) {
  const std::string name = lower(wanted), uuid = lower(uuid_text(device.uuid)), address = lower(device.pci_address);
  if (name == std::to_string(device.ordinal)) return true;
  if (name == address || (address.size() > 5 && name == address.substr(5))) return true;
  const std::string digits = name.starts_with("gpu-") || name.starts_with("mig-") ? name.substr(4) : name;
  return digits.size() >= least_uuid_digits && uuid.substr(4).starts_with(digits);
}

std::string list(const std::vector<cuda::FoundDevice>& devices) {
  std::string out;
  for (const auto& device : devices)
    out += fmt::format("{}{} = {} ({}, {})", out.empty() ? "" : "; ", device.ordinal, device.name, device.pci_address,
                       uuid_text(device.uuid));
  return out;
}

}  // namespace

std::string uuid_text(const cuda::Uuid& uuid) {
  std::string out = "GPU-";
  for (std::size_t i = 0; i < uuid.size(); ++i)
    out += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
  return out;
}

std::vector<cuda::FoundDevice> select_devices(const std::vector<cuda::FoundDevice>& found,
                                              const std::vector<std::string>& wanted) {
  if (wanted == std::vector<std::string>{"all"}) return found;
  std::vector<cuda::FoundDevice> out;
  for (const std::string& entry : wanted) {
    std::vector<cuda::FoundDevice> named;
    std::copy_if(found.begin(), found.end(), std::back_inserter(named),
                 [&](const auto& device) { return names(entry, device); });
    const auto refuse = [&](const char* what) {
      throw Error(PINION_INVALID_CONFIG, fmt::format("devices: \"{}\" {}; there are: {}", entry, what, list(found)));
    };
    if (named.empty()) refuse("names no device");
    if (named.size() > 1) refuse("names several devices");
    for (const auto& before : out)
      if (before.ordinal == named.front().ordinal) refuse("names a device a second time");
    out.push_back(named.front());
  }
  return out;
}

}  // namespace pinion::backend_cuda
