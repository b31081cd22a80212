#include <fmt/format.h>

#include <pinion/host/pipeline/partition.hpp>
#include <set>

namespace pinion::host {
namespace {

class Attempts {
 public:
  Attempts(const StageContext& context, const std::shared_ptr<Opened>& opened, const Reach& reach,
           const AttemptRules& rules)
      : context_(context),
        opened_(opened),
        reach_(reach),
        rules_(rules),
        route_(context.host.routes.route(opened->kind().id)) {}

  Result<Part> run() {
    for (;;) {
      ++count_;
      auto use = context_.host.devices.choose(reach_.devices, avoid_);
      if (!use)
        return Status(last_.ok() ? Code::device_lost : last_.code(),
                      fmt::format("no device is left for {}: {}", opened_->kind().id, why_none()));
      const std::uint32_t device = use->device().number;
      context_.host.progress.attempt(context_.owner, use->device().label());
      auto part = attempt(std::move(*use));
      if (part) {
        part->result.attempts = count_;
        return part;
      }
      last_ = part.status();
      if (!goes_on(device)) return last_;
    }
  }

 private:
  // All stages once.
  Result<Part> attempt(DeviceUse use) {
    const std::string format = route_.formats.at(use.device().number);
    // Memory first: who waits for it must not keep a slot from a more urgent partition that has its memory already.
    auto leased = claim(context_, opened_, std::move(use), format);
    if (!leased) return leased.status();
    std::optional<Slot> slot;
    {
      const StageTimer timer(context_, "wait", &leased->times.wait);
      slot = context_.host.synthesis.take(context_.rank, context_.stop);
      if (!slot) return Status(Code::cancelled, "cancelled while waiting for its turn");
    }
    auto synthesized = synthesize(context_, std::move(*leased));
    slot->reset();  // the next synthesis may begin while this one is on its device
    if (!synthesized) return synthesized.status();
    auto started = start(context_, std::move(*synthesized));
    if (!started) return started.status();
    return finish(context_, std::move(*started));
  }

  // Whether there is another attempt after last_, and what it should avoid.
  bool goes_on(std::uint32_t device) {
    if (context_.stop.stop_requested()) {
      if (last_.code() != Code::cancelled) last_ = Status(Code::cancelled, "cancelled; then " + last_.message());
      return false;
    }
    const std::string label = context_.host.devices.all()[device].label();
    switch (last_.code()) {
      case Code::proof_invalid:
        context_.host.devices.strike(device, fmt::format("{}: {}", context_.owner.text(), last_.message()));
        if (++invalid_ > rules_.retries) {
          last_ = Status(Code::proof_invalid, fmt::format("self_check: no proof after {} attempts, the last on {}: {}",
                                                          count_, label, last_.message()));
          return false;
        }
        avoid_.insert(device);
        return true;
      case Code::out_of_memory:
        if (evicted_) return false;
        evicted_ = true;
        context_.host.log.warn("{}: {}; evicting what is idle and trying once more", context_.owner.text(),
                               last_.message());
        evict(device);
        return true;
      case Code::device_lost:
        context_.host.devices.quarantine(device, last_.message());
        context_.host.memory.retire(context_.host.devices.all()[device].facts->placement());
        return true;
      default:
        return false;
    }
  }

  void evict(std::uint32_t device) const {
    Memory& memory = context_.host.memory;
    memory.evict(SpaceId::host(), memory.budget(SpaceId::host()));
    const SpaceId space = context_.host.devices.all()[device].space();
    if (space != SpaceId::host()) memory.evict(space, memory.budget(space));
  }

  std::string why_none() const {
    const std::string why = context_.host.devices.why_unusable() + reach_.refused;
    return last_.ok() ? why : fmt::format("{}; last attempt: {}", why, last_.message());
  }

  const StageContext& context_;
  const std::shared_ptr<Opened>& opened_;
  const Reach& reach_;
  const AttemptRules& rules_;
  const Route& route_;
  std::set<std::uint32_t> avoid_;
  std::uint32_t count_ = 0;
  std::uint32_t invalid_ = 0;
  bool evicted_ = false;
  Status last_;
};

}  // namespace

Result<Part> prove_partition(const StageContext& context, const std::shared_ptr<Opened>& opened, const Reach& reach,
                             const AttemptRules& rules) {
  return Attempts(context, opened, reach, rules).run();
}

}  // namespace pinion::host
