// What a claim takes in all, and which claims can never be granted.
#include <fmt/format.h>

#include <pinion/host/base/units.hpp>

#include "core.hpp"

namespace pinion::host {
namespace {

std::string both(Bytes bytes) {
  return fmt::format("{} ({} bytes)", human_text(bytes), bytes.count());
}

// Of a claim that is larger than the budget of a space.
std::string remedy(const Space& space) {
  if (space.id == SpaceId::page_locked()) return "raise memory.pinned_max";
  if (space.id != SpaceId::host()) return "give this work to a larger device";
  return fmt::format("raise the budget{}, or give this work to a larger machine",
                     space.source.empty() ? "" : ", which comes from " + space.source);
}

}  // namespace

Result<BytesBySpace> MemoryCore::total_of(const Claim& claim, Loaded loaded) const {
  BytesBySpace total = zero();
  Status problem;
  const auto add = [&](SpaceId space, Bytes bytes) {
    const std::size_t i = index_of(space);
    const auto sum = i < total.size() ? checked_add(total[i], bytes) : std::nullopt;
    if (sum) {
      total[i] = *sum;
    } else if (problem.ok()) {
      problem = i < total.size() ? Status(Code::over_budget, "the sizes of the claim add up to more than 64 bits")
                                 : Status(Code::unsupported, "there is no space \"" + space.text() + "\"");
    }
  };
  const auto add_slab = [&](const SlabNeed& need) {
    if (need.bytes.zero()) return;
    const Result<Birth> birth = pool_.birth(need);
    if (birth.ok()) {
      add(SpaceId::host(), birth->bytes);
      if (kind_of(*birth) == SlabKind::pinned) add(SpaceId::page_locked(), birth->bytes);
    } else if (problem.ok()) {
      problem = birth.status();
    }
  };
  for (const SlabNeed& need : claim.slabs) add_slab(need);
  for (const ByteNeed& need : claim.bytes) add(need.space, need.bytes);
  std::set<ResidentKey> named;
  for (const ResidentSpec& spec : claim.residents) {
    const ResidentKey key(spec.home, spec.id);
    add(spec.home, Bytes());
    if (!named.insert(key).second) continue;
    for (const ByteNeed& need : spec.bytes) add(need.space, need.bytes);
    if (spec.buffer) add_slab(*spec.buffer);
    if (loaded == Loaded::stays && residents_.contains(key)) continue;
    for (const ByteNeed& need : spec.load_bytes) add(need.space, need.bytes);
  }
  if (!problem.ok()) return problem.within("claim of " + claim.owner.text());
  return total;
}

Result<Bytes> MemoryCore::cost(const Claim& claim, SpaceId space) const {
  const Lock lock(mutex_);
  const Result<BytesBySpace> now = total_of(claim);
  if (!now) return now.status();
  if (Status refused = refuse_impossible(claim, *now); !refused.ok()) return refused;
  const std::size_t i = index_of(space);
  if (i == now->size()) return Bytes();
  // What is loaded may be gone by then. Where loading takes more than there is, the claim is refused then, and waits
  // for nobody.
  const Result<BytesBySpace> later = total_of(claim, Loaded::anew);
  const bool possible = later && refuse_impossible(claim, *later).ok();
  return (possible ? *later : *now)[i] + stuck_beyond(claim)[i] + standing(spaces_[i]);
}

Bytes MemoryCore::standing(const Space& space) {
  Bytes sum;
  for (const auto& [id, entry] : space.reservations)
    if (entry.standing) sum += entry.bytes;
  return sum;
}

// What stuck slabs take of each space beyond what they save this claim, when it gets those that could serve it.
BytesBySpace MemoryCore::stuck_beyond(const Claim& claim) const {
  BytesBySpace stuck = zero();
  if (pool_.stuck_bytes().zero()) return stuck;
  for (const auto& [id, slab] : pool_.slabs())
    if (!slab.stuck.empty()) add_slab(stuck, slab.bytes, slab.kind);
  std::vector<const SlabNeed*> needs;
  for (const SlabNeed& need : claim.slabs) needs.push_back(&need);
  std::set<ResidentKey> named;
  for (const ResidentSpec& spec : claim.residents)
    if (spec.buffer && named.emplace(spec.home, spec.id).second) needs.push_back(&*spec.buffer);
  const auto served = pool_.serve(needs, 1.0, [](SlabId, const Slab& slab) { return !slab.stuck.empty(); });
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (!served[i]) continue;
    const Birth birth = pool_.birth(*needs[i]).value();  // total_of has checked it
    BytesBySpace saved = zero();
    add_slab(saved, birth.bytes, kind_of(birth));
    for (std::size_t k = 0; k < stuck.size(); ++k) stuck[k] = checked_sub(stuck[k], saved[k]).value_or(Bytes());
  }
  return stuck;
}

// Larger than the budget, also counting what the job itself will keep until it ends, what stands beside all work and
// what nobody gets back: waiting could never help.
Status MemoryCore::refuse_impossible(const Claim& claim, const BytesBySpace& total) const {
  const BytesBySpace stuck = stuck_beyond(claim);
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    const Space& space = spaces_[i];
    const Bytes standing = MemoryCore::standing(space);
    Bytes kept;
    for (const auto& [id, entry] : space.reservations) {
      if (!claim.owner.job.empty() && entry.owner.job == claim.owner.job && !entry.owner.partition) kept += entry.bytes;
    }
    auto sum = checked_add(total[i], kept);
    if (sum) sum = checked_add(*sum, stuck[i]);
    if (sum) sum = checked_add(*sum, standing);
    const Bytes limit = space.budget.limit_for(urgency(claim.priority));
    if (total[i].zero() || (sum && *sum <= limit)) continue;
    std::string message = fmt::format("{} needs {} in space {}, whose budget is {}", claim.owner.text(), both(total[i]),
                                      space.id.text(), both(space.budget.limit()));
    if (limit != space.budget.limit())
      message += fmt::format(", {} of it kept for critical work", both(space.budget.limit() - limit));
    if (!kept.zero()) message += fmt::format(", {} of it already held by the job itself", both(kept));
    if (!standing.zero()) message += fmt::format(", {} of it taken for as long as this runs", both(standing));
    if (!stuck[i].zero())
      message +=
          fmt::format(", {} of it in slabs that cannot be given back until pinion is started anew", both(stuck[i]));
    const bool reserve_is_to_blame = sum && *sum <= space.budget.limit();
    message += reserve_is_to_blame ? "; lower memory.critical_reserve, and it fits" : "; " + remedy(space);
    return Status(Code::over_budget, std::move(message));
  }
  return {};
}

// For whom nothing can be dropped now and who does not wait.
Status MemoryCore::in_use(const Claim& claim, const BytesBySpace& total) const {
  std::string message = claim.owner.text() + " asked for memory that is in use:";
  for (std::size_t i = 0; i < spaces_.size(); ++i) {
    if (total[i].zero()) continue;
    message += fmt::format(" {} of space {}, where {} of {} are used;", human_text(total[i]), spaces_[i].id.text(),
                           human_text(spaces_[i].budget.used()), human_text(spaces_[i].budget.limit()));
  }
  message.pop_back();
  return Status(Code::out_of_memory, std::move(message));
}

}  // namespace pinion::host
