#include "devices.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <pinion/plugin/error.hpp>

namespace pinned {

// Linux says -1 where the machine has one node or the firmware does not say. A driver may write the domain with eight
// digits, where Linux has four.
int node_of(std::string address, const std::string& root) {
  if (const auto domain = address.find(':'); domain == 8 && address.starts_with("0000")) address.erase(0, 4);
  std::transform(address.begin(), address.end(), address.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::ifstream in(root + "/sys/bus/pci/devices/" + address + "/numa_node");
  int node = -1;
  return in >> node && node >= 0 ? node : -1;
}

std::string uuid_text(const Uuid& uuid) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out = "GPU-";
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += digits[uuid[i] >> 4u];
    out += digits[uuid[i] & 15u];
  }
  return out;
}

std::string Device::label() const {
  return "device " + std::to_string(ordinal) + " (" + name + ", " + uuid_text(uuid) + ", " + address + ")";
}

Devices::Devices(const Driver& driver, const std::string& wanted) : driver_(driver) {
  int count = 0;
  driver_.require(driver_.device_count(&count), "counting devices");
  for (int i = 0; i < count; ++i) {
    Device device;
    device.ordinal = i;
    driver_.require(driver_.device(&device.handle, i), "device " + std::to_string(i));
    std::array<char, 128> text{};
    driver_.require(driver_.device_name(text.data(), static_cast<int>(text.size()), device.handle), "name of a device");
    device.name = text.data();
    driver_.require(driver_.device_pci(text.data(), static_cast<int>(text.size()), device.handle),
                    "address of a device");
    device.address = text.data();
    driver_.require(driver_.device_uuid(&device.uuid, device.handle), "UUID of a device");
    device.node = node_of(device.address);
    devices_.push_back(std::move(device));
  }
  if (wanted == "auto") return;
  for (const Device& device : devices_)
    if (wanted == std::to_string(device.ordinal) || wanted == uuid_text(device.uuid) || wanted == device.address)
      wanted_ = &device;
  if (wanted_ == nullptr)
    throw pinion::Error(PINION_INVALID_CONFIG,
                        "device = \"" + wanted + "\" is not a device the driver shows; there are: " + listed());
}

Devices::~Devices() {
  for (const auto& [device, context] : contexts_) driver_.context_release(device);
}

std::string Devices::listed() const {
  std::string out;
  for (const Device& device : devices_) out += (out.empty() ? "" : ", ") + device.label();
  return out;
}

void Devices::lose(const Device& device) {
  const std::lock_guard lock(mutex_);
  lost_.insert(device.handle);
}

bool Devices::lost(const Device& device) {
  const std::lock_guard lock(mutex_);
  return lost_.count(device.handle) != 0;
}

const Device* Devices::named(const pinion_placement& placement) const {
  if (placement.has_device == 0) return wanted_;
  Uuid uuid;
  std::memcpy(uuid.data(), placement.device_uuid, uuid.size());
  for (const Device& device : devices_)
    if (device.uuid == uuid) return &device;
  throw pinion::Error(PINION_UNSUPPORTED, "memory for " + uuid_text(uuid) +
                                              " was asked for, which the driver does not show here (see "
                                              "CUDA_VISIBLE_DEVICES); there are: " +
                                              listed());
}

const Device& Devices::choose(const pinion_placement& placement) {
  if (const Device* device = named(placement); device != nullptr && !lost(*device)) return *device;
  const Device* first = nullptr;
  for (const Device& device : devices_) {
    if (lost(device)) continue;
    if (first == nullptr) first = &device;
    unsigned flags = 0;
    int active = 0;
    if (driver_.context_state(device.handle, &flags, &active) == cuda_success && active != 0) return device;
  }
  if (first == nullptr)
    throw pinion::Error(PINION_OUT_OF_MEMORY,
                        "memory cannot be page-locked: CUDA is dead for this process, every device is lost to it (" +
                            listed() +
                            "); restart pinion, or allow [plugins] fallback = \"alloc-heap\" to go on without");
  return *first;
}

void* Devices::context(const Device& device) {
  const std::lock_guard lock(mutex_);
  void*& context = contexts_[device.handle];
  if (context == nullptr) {
    const int code = driver_.context_retain(&context, device.handle);
    if (code != cuda_success) {
      contexts_.erase(device.handle);
      driver_.require(code, "a context on " + device.label());
    }
  }
  return context;
}

Devices::Current::Current(Devices& devices, const Device& device) : driver_(devices.driver_) {
  driver_.require(driver_.context_push(devices.context(device)), "the context of " + device.label());
}

Devices::Current::~Current() {
  void* popped = nullptr;
  driver_.context_pop(&popped);
}

}  // namespace pinned
