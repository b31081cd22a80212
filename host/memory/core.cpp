#include "core.hpp"

#include <algorithm>
#include <pinion/host/base/units.hpp>
#include <stdexcept>

namespace pinion::host {
namespace {

std::vector<std::shared_ptr<SlabSource>> host_sources(std::vector<SpaceSetup>& spaces) {
  std::sort(spaces.begin(), spaces.end(), [](const SpaceSetup& a, const SpaceSetup& b) { return a.id < b.id; });
  if (spaces.empty() || spaces.front().id != SpaceId::host()) throw std::invalid_argument("memory: no host space");
  return std::move(spaces.front().sources);
}

Duration since(const Clock& clock, TimePoint then) {
  return std::chrono::duration_cast<Duration>(clock.now() - then);
}

std::string_view state_text(ResidentEntry::State state) {
  switch (state) {
    case ResidentEntry::State::loading:
      return "loading";
    case ResidentEntry::State::ready:
      return "ready";
    case ResidentEntry::State::failed:
      return "failed";
    case ResidentEntry::State::unloading:
      return "unloading";
  }
  return "unknown";
}

std::string_view state_text(SlabState state) {
  switch (state) {
    case SlabState::allocating:
      return "allocating";
    case SlabState::leased:
      return "leased";
    case SlabState::idle:
      return "idle";
    case SlabState::releasing:
      return "releasing";
  }
  return "unknown";
}

}  // namespace

MemoryCore::MemoryCore(const MemoryOptions& options, std::vector<SpaceSetup> spaces, const Clock& clock, Log& log)
    : options_(options),
      clock_(clock),
      log_(log),
      pool_(host_sources(spaces), options.max_waste),
      order_(options.max_overtakes, options.critical_priority) {
  for (const SpaceSetup& setup : spaces) {
    if (setup.reserve > setup.budget) throw std::invalid_argument("memory: a reserve larger than its budget");
    spaces_.emplace_back(setup.id, setup.budget, setup.reserve, setup.source);
  }
  const Bytes budget = spaces_.front().budget.limit();
  spaces_.emplace_back(SpaceId::page_locked(), options.pinned_max ? std::min(*options.pinned_max, budget) : budget,
                       Bytes(), "");
}

std::size_t MemoryCore::index_of(SpaceId id) const {
  const auto it = std::find_if(spaces_.begin(), spaces_.end(), [&](const Space& space) { return space.id == id; });
  return static_cast<std::size_t>(it - spaces_.begin());
}

const Space* MemoryCore::find(SpaceId id) const noexcept {
  const std::size_t i = index_of(id);
  return i == spaces_.size() ? nullptr : &spaces_[i];
}

bool MemoryCore::closed() const {
  const Lock lock(mutex_);
  return closed_;
}

std::vector<HoldingStatus> MemoryCore::holdings(const std::string& job) const {
  std::vector<HoldingStatus> out;
  const Lock lock(mutex_);
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    for (HoldingStatus& holding : holdings_in(i)) {
      if (job.empty() || holding.owner.job == job) out.push_back(std::move(holding));
    }
  }
  return out;
}

// Leases and reservations of one space; slabs lent to residents are counted with those.
std::vector<HoldingStatus> MemoryCore::holdings_in(std::size_t space) const {
  std::vector<HoldingStatus> out;
  for (const auto& [id, entry] : spaces_[space].reservations) {
    out.push_back({entry.purpose, entry.owner, entry.bytes, entry.bytes, ""});
  }
  if (const Bytes unspent = spaces_[space].budget.unspent_reserve(); !unspent.zero())
    out.push_back({kept_for_critical, {}, unspent, unspent, ""});
  if (space != 0) return out;
  for (const auto& [id, slab] : pool_.slabs()) {
    const bool held = slab.state == SlabState::leased || slab.state == SlabState::allocating;
    if (!held || slab.use.by_resident) continue;
    out.push_back({slab.use.purpose, slab.use.owner, slab.use.requested, slab.bytes, kind_text(slab.kind),
                   std::string(state_text(slab.state)), seen_text(slab.seen)});
  }
  return out;
}

std::vector<SpaceStatus> MemoryCore::snapshot() const {
  const Lock lock(mutex_);
  std::vector<SpaceStatus> out;
  for (std::size_t i = 0; i + 1 < spaces_.size(); ++i) {  // page-locked memory is part of the host's
    const Space& space = spaces_[i];
    SpaceStatus status;
    status.name = space.id.text();
    status.budget = space.budget.limit();
    status.used = space.budget.used();
    status.high_water = space.budget.high_water();
    status.holdings = holdings_in(i);
    add_residents(status, i);
    for (const Waiter* waiter : order_.waiters()) {
      if (waiter->total[i].zero()) continue;
      status.waiting.push_back({waiter->claim->owner, waiter->claim->priority, waiter->ticket, waiter->total[i],
                                since(clock_, waiter->since)});
    }
    status.resident_loads = space.loads;
    status.resident_hits = space.hits;
    status.evicted_residents = space.evicted;
    if (i == 0) add_pool(status);
    out.push_back(std::move(status));
  }
  return out;
}

void MemoryCore::add_pool(SpaceStatus& status) const {
  status.idle = pool_.idle_bytes();
  status.stuck = pool_.stuck_bytes();
  const Budget& locked = spaces_.back().budget;
  status.pinned = {locked.limit(), locked.used(), locked.high_water()};
  status.warm = warm_;
  for (const auto& [id, slab] : pool_.slabs()) {
    if (slab.state == SlabState::leased || slab.state == SlabState::allocating) continue;
    const std::string state(slab.stuck.empty() ? state_text(slab.state) : "stuck");
    status.holdings.push_back({state, {}, Bytes(), slab.bytes, kind_text(slab.kind), state, seen_text(slab.seen)});
  }
  status.slabs_made = pool_.made;
  status.slabs_reused = pool_.reused;
  status.slabs_released = pool_.released;
  status.fallback_uses = pool_.fallback_uses;
  for (const auto& [labels, count] : pool_.handovers) status.handovers.push_back({labels.first, labels.second, count});
  for (const auto& [id, slab] : pool_.slabs())
    status.slabs.push_back(
        {slab.bytes, kind_text(slab.kind), slab.leases, slab.labels, slab.stuck, seen_text(slab.seen)});
}

void MemoryCore::add_residents(SpaceStatus& status, std::size_t space) const {
  const auto add = [&](const ResidentEntry& entry) {
    const Bytes bytes = entry.charged[space] + (space == 0 ? entry.buffer.capacity() : Bytes());
    if (bytes.zero() && spaces_[space].id != entry.spec.home) return;
    ResidentStatus resident{entry.spec.id, entry.spec.plugin, std::string(state_text(entry.state)),
                            bytes,         entry.users,       std::nullopt};
    if (entry.users == 0 && entry.state == ResidentEntry::State::ready) resident.idle = since(clock_, entry.idle_since);
    status.residents.push_back(std::move(resident));
  };
  for (const auto& [key, entry] : residents_) add(*entry);
  for (const auto& entry : leaving_) add(*entry);
}

}  // namespace pinion::host
