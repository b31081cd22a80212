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
    Result<Lease> lease = next_warm_slab(order, places[i % places.size()], stop);
    const Status status = lease ? make_slab(*lease, {}) : lease.status();
    const Lock lock(mutex_);
    if (status.ok()) warm_.made += lease->capacity();
    if (status.ok() && warm_.made < warm_.wanted) continue;  // the lease ends: the slab is idle
    warm_.state = status.ok() ? "ready" : "stopped";
    warm_.reason = status.message();
    if (!status.ok() && status.code() != Code::cancelled)
      log_.warn("memory.warm = {}: {} are made, and no more: {}", exact_text(warm_.wanted), human_text(warm_.made),
                status.text());
    return;
  }
}

// Charged and about to be made, or why there is none.
Result<Lease> MemoryCore::next_warm_slab(const WarmOrder& order, const Placement& placement,
                                         const std::stop_token& stop) {
  Lock lock(mutex_);
  nobody_waits_.wait(lock, stop, [this] { return order_.waiters().empty() || closed_; });
  if (stop.stop_requested() || closed_) return Status(Code::cancelled, "the host is shutting down");
  const SlabSourceInfo& source = pool_.source_info(pool_.preferred());
  const SlabNeed need{order.slab, SlabKinds{static_cast<std::uint32_t>(source.kind)}, placement, "warming"};
  const Result<Birth> birth = pool_.birth(need);
  if (!birth) return birth.status();
  BytesBySpace bytes = zero();
  add_slab(bytes, birth->bytes, kind_of(*birth));
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    const Budget& budget = spaces_[i].budget;
    if (bytes[i] > budget.free())
      return Status(Code::out_of_memory,
                    fmt::format("a slab of {} (memory.warm_slab) does not fit: {} of {} are in use",
                                human_text(need.bytes), human_text(budget.used()), human_text(budget.limit())));
  }
  Claim claim;
  claim.owner.plugin = source.name;
  return lend(claim, need, {std::nullopt, *birth}, false);
}

}  // namespace pinion::host
