// Slabs before anybody needs them: the first proof then does not pay for page-locking.
#include <fmt/format.h>

#include <pinion/host/base/units.hpp>

#include "core.hpp"

namespace pinion::host {

void MemoryCore::warm(const WarmOrder& order, const std::stop_token& stop) {
  {
    const Lock lock(mutex_);
    warm_ = {"warming", order.bytes, Bytes(), ""};
  }
  Placement anywhere;
  std::span<const Placement> places = order.placements;
  if (places.empty()) places = {&anywhere, 1};
  for (std::size_t i = 0;; ++i) {
    std::optional<Lease> lease = next_warm_slab(order, places[i % places.size()], stop);
    if (!lease) return;
    if (const Status status = make_slab(*lease); !status.ok()) {
      log_.warn("warming stops: {}", status.text());
      return end_warming("stopped", status.text());
    }
    const Lock lock(mutex_);
    warm_.made += lease->capacity();
  }  // the lease ends: the slab is idle
}

// Charged and about to be made; nothing when warming is over, which warm_ then says.
std::optional<Lease> MemoryCore::next_warm_slab(const WarmOrder& order, const Placement& placement,
                                                const std::stop_token& stop) {
  Lock lock(mutex_);
  nobody_waits_.wait(lock, stop, [this] { return queue_.empty() || closed_; });
  if (stop.stop_requested() || closed_) return end_warming("stopped", "the host is shutting down"), std::nullopt;
  if (warm_.made >= warm_.wanted) return end_warming("ready", ""), std::nullopt;
  const SlabSourceInfo& source = pool_.source_info(pool_.preferred());
  const SlabNeed need{order.slab, SlabKinds{static_cast<std::uint32_t>(source.kind)}, placement, "warming"};
  const Result<Birth> birth = pool_.birth(need);
  if (!birth) return end_warming("stopped", birth.status().text()), std::nullopt;
  BytesBySpace bytes = zero();
  add_slab(bytes, birth->bytes, kind_of(*birth));
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    if (bytes[i] <= spaces_[i].budget.free()) continue;
    return end_warming("stopped", fmt::format("{} of {} are in use", human_text(spaces_[i].budget.used()),
                                              human_text(spaces_[i].budget.limit()))),
           std::nullopt;
  }
  Claim claim;
  claim.owner.plugin = source.name;
  return lend(claim, need, {std::nullopt, *birth}, false);
}

void MemoryCore::end_warming(std::string state, std::string reason) {
  warm_.state = std::move(state);
  warm_.reason = std::move(reason);
}

}  // namespace pinion::host
