#include <fmt/format.h>

#include <pinion/host/pipeline/devices.hpp>

namespace pinion::host {
namespace {

constexpr std::size_t strikes_to_quarantine = 3;
constexpr auto strike_window = std::chrono::hours(1);

}  // namespace

std::string Device::label() const {
  return fmt::format("{} device {} ({})", loaded->backend->id(), local, facts->name);
}

DeviceUse::~DeviceUse() {
  if (devices_) devices_->leave(number_);
}

const Device& DeviceUse::device() const noexcept {
  return devices_->devices_[number_];
}

Devices::Devices(const std::vector<LoadedBackend>& backends, const Clock& clock, Log& log, Metrics& metrics)
    : clock_(clock), log_(log), metrics_(metrics) {
  for (std::size_t b = 0; b < backends.size(); ++b) {
    const auto first = static_cast<std::uint32_t>(devices_.size());
    const auto& facts = backends[b].backend->devices();
    for (std::uint32_t local = 0; local < facts.size(); ++local) {
      devices_.push_back({first + local, b, local, first, &backends[b], &facts[local]});
      State state;
      state.starts = std::make_unique<Slots>(facts[local].starts_in_flight);
      state.unusable = facts[local].ineligible;
      states_.push_back(std::move(state));
    }
  }
}

std::optional<DeviceUse> Devices::choose(std::span<const std::uint32_t> candidates,
                                         const std::set<std::uint32_t>& avoid) {
  const std::lock_guard lock(mutex_);
  // in_use / starts_in_flight, compared without division.
  const auto busier = [&](std::uint32_t a, std::uint32_t b) {
    return std::uint64_t{states_[a].in_use} * devices_[b].facts->starts_in_flight >
           std::uint64_t{states_[b].in_use} * devices_[a].facts->starts_in_flight;
  };
  std::optional<std::uint32_t> best;
  for (const bool avoided : {false, true}) {
    for (const std::uint32_t number : candidates) {
      if (!states_[number].unusable.empty() || avoid.contains(number) != avoided) continue;
      if (!best || (devices_[*best].backend == devices_[number].backend && busier(*best, number))) best = number;
    }
    if (best) break;
  }
  if (!best) return std::nullopt;
  ++states_[*best].in_use;
  return DeviceUse(this, *best);
}

std::vector<std::uint32_t> Devices::first_choices(std::span<const std::uint32_t> candidates) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint32_t> out;
  for (const std::uint32_t number : candidates)
    if (states_[number].unusable.empty() && (out.empty() || devices_[out.front()].backend == devices_[number].backend))
      out.push_back(number);
  return out;
}

void Devices::leave(std::uint32_t number) noexcept {
  const std::lock_guard lock(mutex_);
  --states_[number].in_use;
}

void Devices::strike(std::uint32_t number, const std::string& reason) {
  metrics_
      .counter("pinion_self_check_failures_total", "parts that did not verify, by the device that made them",
               {{"device", devices_[number].label()}})
      .add();
  const std::lock_guard lock(mutex_);
  State& state = states_[number];
  ++state.failures;
  const TimePoint now = clock_.now();
  while (!state.strikes.empty() && now - state.strikes.front() > strike_window) state.strikes.pop_front();
  state.strikes.push_back(now);
  log_.warn("{} made a part that does not verify (strike {} within an hour): {}", devices_[number].label(),
            state.strikes.size(), reason);
  if (state.strikes.size() >= strikes_to_quarantine)
    quarantine_locked(number, fmt::format("{} parts within an hour did not verify", state.strikes.size()));
}

void Devices::quarantine(std::uint32_t number, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  quarantine_locked(number, reason);
}

void Devices::quarantine_locked(std::uint32_t number, const std::string& reason) {
  State& state = states_[number];
  if (!state.unusable.empty()) return;
  state.unusable = "quarantined: " + reason;
  log_.error("{} is not used any more: {}; restart pinion once it is repaired", devices_[number].label(), reason);
}

std::vector<DeviceStatus> Devices::status() const {
  std::vector<DeviceStatus> out;
  for (const Device& device : devices_) {
    const auto busy = device.loaded->backend->busy_time(device.local);  // the plugin's code: not under the lock
    const std::lock_guard lock(mutex_);
    const State& state = states_[device.number];
    out.push_back({device.label(), device.facts->address, state.unusable.empty(), state.unusable, state.in_use,
                   state.failures, busy, device.facts->memory});
  }
  return out;
}

std::string Devices::why_unusable() const {
  std::string text;
  for (const DeviceStatus& device : status())
    if (!device.usable) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", device.label, device.reason);
  return text.empty() ? "no device lists a job format of this kind" : text;
}

}  // namespace pinion::host
