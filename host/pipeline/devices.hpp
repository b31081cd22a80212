// All devices of all backends under one numbering: which is used next, how busy each is, what each did wrong, and which
// are no longer trusted. The devices of a backend named earlier are preferred; a later backend is used only when none
// of the earlier ones is left, and that is visible.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/pipeline/slots.hpp>
#include <pinion/host/plugins/registry.hpp>
#include <pinion/host/report/log.hpp>
#include <pinion/host/report/metrics.hpp>
#include <pinion/host/report/snapshot.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace pinion::host {

struct Device {
  std::uint32_t number = 0;  // the host's; its memory is SpaceId::device(number)
  std::size_t backend = 0;   // index in Registry::backends()
  std::uint32_t local = 0;   // the backend's own number
  std::uint32_t first = 0;   // the host's number of the backend's device 0
  const LoadedBackend* loaded = nullptr;
  const DeviceFacts* facts = nullptr;

  // Where its residents and arenas are charged: its own memory, or the host's when it has none.
  SpaceId space() const { return facts->memory.zero() ? SpaceId::host() : SpaceId::device(number); }
  std::string label() const;  // "backend-x device 0 (NVIDIA H200)"
};

class Devices;

// A partition at work on a device, counted while it lasts.
class DeviceUse {
 public:
  DeviceUse() noexcept = default;
  DeviceUse(DeviceUse&& other) noexcept : devices_(std::exchange(other.devices_, nullptr)), number_(other.number_) {}
  DeviceUse& operator=(DeviceUse&& other) noexcept {
    std::swap(devices_, other.devices_);
    std::swap(number_, other.number_);
    return *this;
  }
  ~DeviceUse();
  const Device& device() const noexcept;

 private:
  friend class Devices;
  DeviceUse(Devices* devices, std::uint32_t number) noexcept : devices_(devices), number_(number) {}
  Devices* devices_ = nullptr;
  std::uint32_t number_ = 0;
};

class Devices {
 public:
  // `backends`, `clock`, `log` and `metrics` outlive this.
  Devices(const std::vector<LoadedBackend>& backends, const Clock& clock, Log& log, Metrics& metrics);
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  std::span<const Device> all() const noexcept { return devices_; }

  // Of `candidates` (numbers, in order of preference by backend) the least busy device of the first backend that has a
  // usable one outside `avoid`; else the same within `avoid`: better the same device again than no proof. Nothing when
  // none is usable. [any]
  std::optional<DeviceUse> choose(std::span<const std::uint32_t> candidates, const std::set<std::uint32_t>& avoid);

  // Of `candidates`, those that choose() gives out while none is lost: the usable ones of the first backend that has
  // any. [any]
  std::vector<std::uint32_t> first_choices(std::span<const std::uint32_t> candidates) const;

  // The permissions for `start` on a device.
  Slots& starts(std::uint32_t number) { return *states_[number].starts; }

  // A part that does not verify. Three within an hour quarantine the device. [any]
  void strike(std::uint32_t number, const std::string& reason);
  // No longer used until the host is started again. [any]
  void quarantine(std::uint32_t number, const std::string& reason);

  std::vector<DeviceStatus> status() const;  // [any]
  // Every device that is not usable, with its reason. [any]
  std::string why_unusable() const;

 private:
  friend class DeviceUse;
  struct State {
    std::unique_ptr<Slots> starts;
    std::string unusable;  // "" or why
    std::uint32_t in_use = 0;
    std::uint64_t failures = 0;
    std::deque<TimePoint> strikes;
  };
  void quarantine_locked(std::uint32_t number, const std::string& reason);
  void leave(std::uint32_t number) noexcept;

  const Clock& clock_;
  Log& log_;
  Metrics& metrics_;
  std::vector<Device> devices_;
  mutable std::mutex mutex_;
  std::vector<State> states_;
};

}  // namespace pinion::host
