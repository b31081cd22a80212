// What granting a claim would take, and the taking itself: all under the lock, without any slow work.
#include <algorithm>
#include <stdexcept>

#include "core.hpp"

namespace pinion::host {

// Stuck slabs that residents have which nobody uses.
std::set<SlabId> MemoryCore::seats_of_idle() const {
  std::set<SlabId> out;
  for (const auto& [key, entry] : residents_)
    if (entry->idle() && is_stuck(entry->buffer)) out.insert(entry->buffer.slab_);
  return out;
}

Plan MemoryCore::make_plan(const Claim& claim, Reuse reuse, Loaded loaded) const {
  Plan plan;
  plan.slabs.resize(claim.slabs.size());
  plan.buffers.resize(claim.residents.size());
  plan.loads.resize(claim.residents.size());
  plan.charge = zero();
  std::vector<const SlabNeed*> needs;
  std::vector<SlabChoice*> choices;
  const auto want = [&](const SlabNeed& need, SlabChoice& choice) {
    needs.push_back(&need);
    choices.push_back(&choice);
  };
  for (std::size_t i = 0; i < claim.slabs.size(); ++i) want(claim.slabs[i], plan.slabs[i]);
  for (const ByteNeed& need : claim.bytes) plan.charge[index_of(need.space)] += need.bytes;
  std::set<ResidentKey> named;
  for (std::size_t i = 0; i < claim.residents.size(); ++i) {
    const ResidentSpec& spec = claim.residents[i];
    const ResidentKey key(spec.home, spec.id);
    const auto known = residents_.find(key);
    const bool there = known != residents_.end() && !(loaded == Loaded::anew && known->second->idle());
    plan.loads[i] = !there && named.insert(key).second;
    if (!plan.loads[i]) continue;
    for (const ByteNeed& need : spec.bytes) plan.charge[index_of(need.space)] += need.bytes;
    for (const ByteNeed& need : spec.load_bytes) plan.charge[index_of(need.space)] += need.bytes;
    if (spec.buffer) want(*spec.buffer, plan.buffers[i]);
  }
  const std::set<SlabId> seats = loaded == Loaded::anew ? seats_of_idle() : std::set<SlabId>();
  const auto may = [&](SlabId id, const Slab& slab) {
    return (slab.state == SlabState::idle || seats.contains(id)) && (reuse != Reuse::stuck || !slab.stuck.empty());
  };
  const auto served = pool_.serve(needs, reuse == Reuse::within_waste ? pool_.max_waste() : 1.0, may);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (needs[i]->bytes.zero()) continue;
    choices[i]->reuse = served[i];
    if (served[i]) {
      plan.taken.insert(*served[i]);
    } else {
      choices[i]->birth = pool_.birth(*needs[i]).value();  // total_of has checked it
      add_slab(plan.charge, choices[i]->birth->bytes, kind_of(*choices[i]->birth));
    }
  }
  return plan;
}

bool MemoryCore::fits(const Plan& plan, Urgency urgency) const {
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    if (plan.charge[i] > spaces_[i].budget.free(urgency)) return false;
  }
  return true;
}

void MemoryCore::charge(const Birth& birth, Urgency urgency) {
  BytesBySpace bytes = zero();
  add_slab(bytes, birth.bytes, kind_of(birth));
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    if (!spaces_[i].budget.try_charge(bytes[i], urgency)) throw std::logic_error("memory: plan does not fit");
  }
}

Lease MemoryCore::lend(const Claim& claim, const SlabNeed& need, const SlabChoice& choice, bool by_resident) {
  Lease lease;
  lease.id_ = LeaseId(++last_lease_);
  lease.bytes_ = need.bytes;
  if (!choice.reuse && !choice.birth) return lease;
  SlabUse use{claim.owner, need.purpose, need.bytes, by_resident, claim.label};
  if (choice.reuse) {
    lease.slab_ = *choice.reuse;
    pool_.lend(lease.slab_, std::move(use));
  } else {
    charge(*choice.birth, urgency(claim.priority));
    lease.slab_ = pool_.begin(*choice.birth, need, std::move(use));
  }
  const Slab& slab = pool_.at(lease.slab_);
  lease.data_ = slab.data;
  lease.capacity_ = slab.bytes;
  lease.kind_ = slab.kind;
  lease.core_ = shared_from_this();
  return lease;
}

Reservation MemoryCore::reserve(const Claim& claim, const ByteNeed& need) {
  Reservation reservation;
  reservation.space_ = need.space;
  if (need.bytes.zero()) return reservation;
  Space& space = spaces_[index_of(need.space)];
  if (!space.budget.try_charge(need.bytes, urgency(claim.priority)))
    throw std::logic_error("memory: plan does not fit");
  reservation.id_ = ReservationId(++last_reservation_);
  reservation.bytes_ = need.bytes;
  space.reservations.emplace(reservation.id_, ReservationEntry{claim.owner, need.purpose, need.bytes, claim.standing});
  reservation.core_ = shared_from_this();
  return reservation;
}

Commit MemoryCore::commit(const Claim& claim, const Plan& plan) {
  Commit commit;
  for (std::size_t i = 0; i < claim.slabs.size(); ++i) {
    commit.granted.slabs.push_back(lend(claim, claim.slabs[i], plan.slabs[i], false));
  }
  for (const ByteNeed& need : claim.bytes) commit.granted.bytes.push_back(reserve(claim, need));
  for (std::size_t i = 0; i < claim.residents.size(); ++i) {
    const ResidentSpec& spec = claim.residents[i];
    Space& home = spaces_[index_of(spec.home)];
    std::shared_ptr<ResidentEntry>& entry = residents_[{spec.home, spec.id}];
    if (plan.loads[i]) {
      ++home.loads;
      entry = std::make_shared<ResidentEntry>();
      entry->spec = spec;
      entry->charged = zero();
      for (const ByteNeed& need : spec.bytes) {
        const std::size_t space = index_of(need.space);
        if (!spaces_[space].budget.try_charge(need.bytes, urgency(claim.priority)))
          throw std::logic_error("memory: plan does not fit");
        entry->charged[space] += need.bytes;
      }
      if (spec.buffer) entry->buffer = lend(claim, *spec.buffer, plan.buffers[i], true);
      LoadDuty duty{i, {}};
      for (const ByteNeed& need : spec.load_bytes) duty.load_bytes.push_back(reserve(claim, need));
      commit.duties.push_back(std::move(duty));
      loaded_changed({spec.home, spec.id});
    } else {
      ++home.hits;
    }
    ++entry->users;
    entry->critical = urgency(claim.priority) == Urgency::critical;
    ResidentRef ref;
    ref.core_ = shared_from_this();
    ref.entry_ = entry;
    commit.granted.residents.push_back(std::move(ref));
  }
  return commit;
}

}  // namespace pinion::host
