// What a claim finds when it is its turn, and the wait until then.
#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/base/units.hpp>
#include <utility>

#include "core.hpp"

namespace pinion::host {
namespace {

Status cancelled(const Claim& claim) {
  return Status(Code::cancelled, fmt::format("cancelled while {} waited for memory", claim.owner.text()));
}

}  // namespace

// Whether anything is about to come back by itself: of a partition at work, or on its way to the OS.
bool MemoryCore::somebody_works() const {
  const auto busy_slab = [](const auto& slab) {
    return slab.second.state == SlabState::releasing ||
           (slab.second.state != SlabState::idle && !slab.second.use.by_resident);
  };
  const auto busy_resident = [](const auto& entry) {
    return entry.second->users != 0 || entry.second->state != ResidentEntry::State::ready;
  };
  const auto busy_space = [](const Space& space) {
    return std::any_of(space.reservations.begin(), space.reservations.end(),
                       [](const auto& held) { return held.second.owner.partition.has_value(); });
  };
  return !leaving_.empty() || std::any_of(pool_.slabs().begin(), pool_.slabs().end(), busy_slab) ||
         std::any_of(residents_.begin(), residents_.end(), busy_resident) ||
         std::any_of(spaces_.begin(), spaces_.end(), busy_space);
}

Victims MemoryCore::victims_for(const Claim& claim, const Plan& plan, Loaded loaded, Spare spare) const {
  BytesBySpace shortfall = zero();
  for (std::size_t i = 0; i < spaces_.size(); ++i)
    shortfall[i] = spaces_[i].budget.shortfall(plan.charge[i], urgency(claim.priority));
  Idle idle = idle_things(plan.taken, loaded == Loaded::stays ? &claim : nullptr);
  for (IdleResident& resident : idle.residents) resident.seated = plan.taken.contains(resident.entry->buffer.slab_);
  return choose_victims(std::move(idle), std::move(shortfall), clock_.now(), options_.evict_min_idle, spare);
}

// When nobody works, only what is idle can be in the way: even the claim's own residents, where they lie in slabs too
// large for them or in the only ones that would serve it.
Victims MemoryCore::last_resort(const Claim& claim) const {
  Victims victims = victims_for(claim, make_plan(claim, Reuse::stuck, Loaded::anew), Loaded::anew, Spare::no);
  // Where it takes more to load them than there is: without them the claim is refused.
  if (victims.enough || !others_hold(claim)) return victims;
  return {};
}

// What somebody who waits himself, or who is about to end, holds until he ends.
bool MemoryCore::others_hold(const Claim& claim) const {
  const auto of_another = [&](const auto& held) { return held.second.owner.job != claim.owner.job; };
  return std::any_of(spaces_.begin(), spaces_.end(), [&](const Space& space) {
    return std::any_of(space.reservations.begin(), space.reservations.end(), of_another);
  });
}

// Whether there is not enough of a space for what it wants there, even if everything idle there were dropped.
bool MemoryCore::lacks(std::size_t space, const Waiter& waiter) const {
  const Claim& claim = *waiter.claim;
  if (!total_of(claim)) return true;  // what it wants is to be had no more: it is refused once it looks itself
  const Plan plan = make_plan(claim, Reuse::any);
  BytesBySpace shortfall = zero();
  shortfall[space] = spaces_[space].budget.shortfall(plan.charge[space], urgency(claim.priority));
  if (shortfall[space].zero()) return false;
  return !choose_victims(idle_things(plan.taken, &claim), std::move(shortfall), clock_.now(), options_.evict_min_idle,
                         Spare::no)
              .enough;
}

void MemoryCore::queue_changed() {
  order_.changed();
  changed();
}

void MemoryCore::changed() {
  ++version_;
  for (Waiter* waiter : order_.next()) waiter->wake.notify_one();
}

void MemoryCore::look_again() {
  const Lock lock(mutex_);
  changed();
}

// A resident is about to be loaded, or is no longer there: who names it wants something else than before.
void MemoryCore::loaded_changed(const ResidentKey& resident) {
  ++version_;
  const auto is = [&](const ResidentSpec& spec) { return ResidentKey(spec.home, spec.id) == resident; };
  for (Waiter* waiter : order_.waiters()) {
    const std::vector<ResidentSpec>& named = waiter->claim->residents;
    if (std::any_of(named.begin(), named.end(), is)) waiter->wake.notify_one();
  }
}

// Those who may not go are to look as well: at the end, and when what can be had is another.
void MemoryCore::wake_all() {
  ++version_;
  for (Waiter* waiter : order_.waiters()) waiter->wake.notify_one();
}

void MemoryCore::leave_queue(Waiter& waiter) {
  order_.remove(waiter);
  if (order_.waiters().empty()) nobody_waits_.notify_all();
  queue_changed();  // the next one may be first now
}

// `waits`: rather than that what is spared is dropped. Who cannot wait would fail.
Attempt MemoryCore::attempt(const Claim& claim, bool waits) {
  for (Reuse reuse : {Reuse::within_waste, Reuse::any, Reuse::stuck}) {
    const Plan plan = make_plan(claim, reuse);
    if (fits(plan, urgency(claim.priority))) return {commit(claim, plan), {}, std::nullopt, false};
  }
  if (!claim.drops) return {};
  // To spare residents is to wait for others: no critical claim does, and it is of no use when nobody works.
  const bool alone = !somebody_works();
  std::vector<Spare> spares{Spare::yes};
  if (!waits || alone || urgency(claim.priority) == Urgency::critical) spares.push_back(Spare::no);
  std::optional<TimePoint> retry_at;
  for (Spare spare : spares) {
    // Least is dropped when larger slabs are reused; but it may take a new slab in place of an idle one that is too
    // large.
    for (Reuse reuse : {Reuse::any, Reuse::within_waste, Reuse::stuck}) {
      Victims victims = victims_for(claim, make_plan(claim, reuse), Loaded::stays, spare);
      if (victims.enough) return {std::nullopt, std::move(victims), std::nullopt, false};
      if (victims.next_time) retry_at = std::min(retry_at.value_or(*victims.next_time), *victims.next_time);
    }
  }
  if (!alone) return {std::nullopt, {}, retry_at, false};
  Victims last = last_resort(claim);
  const bool stalled = last.empty() && others_hold(claim);
  return {std::nullopt, std::move(last), retry_at, stalled};
}

Result<Commit> MemoryCore::admit(const Claim& claim, const std::stop_token& stop) {
  Waiter waiter;
  waiter.claim = &claim;
  waiter.since = clock_.now();
  waiter.total = zero();
  const std::stop_callback wake(stop, [this, &waiter] {
    const Lock lock(mutex_);
    waiter.wake.notify_one();
  });
  Lock lock(mutex_);
  waiter.ticket = ++last_ticket_;
  order_.add(waiter);
  struct Leave {
    MemoryCore& core;
    Waiter& waiter;
    ~Leave() { core.leave_queue(waiter); }
  } const leave{*this, waiter};
  return wait_in_queue(lock, waiter, stop);
}

// A critical claim has to wait for ordinary work to end: said once, with what would have spared it that.
void MemoryCore::tell_small_reserve(const Claim& claim) {
  if (std::exchange(small_reserve_told_, true)) return;
  const Plan plan = make_plan(claim, Reuse::stuck);
  std::size_t i = 0;  // the space that it does not fit into
  while (i + 1 < spaces_.size() && plan.charge[i] <= spaces_[i].budget.free(Urgency::critical)) ++i;
  const Budget& budget = spaces_[i].budget;
  log_.warn(
      "{} is critical and waits for memory that others use: in space {} it takes {} beyond what is loaded, and {} "
      "are kept for such work; a larger memory.critical_reserve would let it pass",
      claim.owner.text(), spaces_[i].id.text(), human_text(plan.charge[i]),
      human_text(budget.limit() - budget.limit_for(Urgency::ordinary)));
}

Result<Commit> MemoryCore::wait_in_queue(Lock& lock, Waiter& waiter, const std::stop_token& stop) {
  const Claim& claim = *waiter.claim;
  std::optional<Span> waiting;
  const Order::Lacks is_lacking = [this](std::size_t space, const Waiter& one) { return lacks(space, one); };
  for (;;) {
    if (closed_) return Status(Code::cancelled, "the host is shutting down: no more memory is given out");
    if (stop.stop_requested()) return cancelled(claim);
    // Looked at anew each time: what has to be loaded may have changed while waiting.
    Result<BytesBySpace> total = total_of(claim);
    if (!total) return total.status();
    if (Status refused = refuse_impossible(claim, *total); !refused.ok()) return refused;
    if (waiter.total != *total) {
      waiter.total = std::move(*total);
      queue_changed();
    }
    const std::uint64_t seen = version_;
    std::optional<TimePoint> retry_at;
    if (order_.eligible(waiter, is_lacking)) {
      Attempt now = attempt(claim, true);
      if (now.commit) {
        order_.count_overtakes(waiter, is_lacking);
        return std::move(*now.commit);
      }
      if (!now.victims.empty()) {
        waiting.reset();
        drop(lock, now.victims, 0, &claim);
        continue;
      }
      retry_at = now.retry_at;
      if (now.stalled && claim.stalled) {
        lock.unlock();
        claim.stalled();
        lock.lock();
      }
      if (urgency(claim.priority) == Urgency::critical) tell_small_reserve(claim);
    }
    if (!waiting) waiting.emplace(claim.span("wait for memory"));
    while (version_ == seen && !stop.stop_requested() && !(retry_at && clock_.now() >= *retry_at)) {
      if (retry_at) {
        clock_.wait_until(waiter.wake, lock, *retry_at);
      } else {
        waiter.wake.wait(lock);
      }
    }
  }
}

Result<Granted> MemoryCore::claim(const Claim& claim, const std::stop_token& stop) {
  return realised(
      claim, [&] { return admit(claim, stop); }, stop);
}

Result<Commit> MemoryCore::admit_now(const Claim& claim) {
  Lock lock(mutex_);
  for (;;) {
    if (closed_) return cancelled(claim);
    const Result<BytesBySpace> total = total_of(claim);
    if (!total) return total.status();
    if (Status refused = refuse_impossible(claim, *total); !refused.ok()) return refused;
    Attempt now = attempt(claim, false);
    if (now.commit) {
      changed();  // what it took may be what the first ones wait for, and others not
      return std::move(*now.commit);
    }
    if (now.victims.empty()) return in_use(claim, *total);
    drop(lock, now.victims, 0, &claim);  // and look again: others who pass by may take it
  }
}

Result<Granted> MemoryCore::try_claim(const Claim& claim, const std::stop_token& stop) {
  return realised(
      claim, [&] { return admit_now(claim); }, stop);
}

}  // namespace pinion::host
