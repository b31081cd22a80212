#include <pinion/host/memory/memory.hpp>

#include "core.hpp"

namespace pinion::host {

Memory::Memory(const MemoryOptions& options, std::vector<SpaceSetup> spaces, const Clock& clock, Log& log)
    : core_(std::make_shared<MemoryCore>(options, std::move(spaces), clock, log)) {}

Memory::~Memory() {
  if (!core_->closed()) core_->close();
}

Result<Granted> Memory::claim(const Claim& claim, const std::stop_token& stop) {
  return core_->claim(claim, stop);
}
Result<Granted> Memory::try_claim(const Claim& claim, const std::stop_token& stop) {
  return core_->try_claim(claim, stop);
}

Result<Bytes> Memory::cost(const Claim& claim, SpaceId space) const {
  return core_->cost(claim, space);
}

Status Memory::preload(const Owner& owner, const ResidentSpec& spec, const std::stop_token& stop) {
  Claim claim;
  claim.owner = owner;
  claim.residents.push_back(spec);
  return core_->claim(claim, stop).status();
}

void Memory::warm(const WarmOrder& order, const std::stop_token& stop) {
  core_->warm(order, stop);
}

Bytes Memory::evict(SpaceId space, Bytes wanted) {
  return core_->evict(space, wanted, Spare::no);
}
Result<Bytes> Memory::evict(SpaceId space, const std::string& resident_id) {
  return core_->evict_resident(space, resident_id);
}

Bytes Memory::retire(const Placement& placement) {
  return core_->retire(placement);
}

Bytes Memory::use(const std::vector<std::shared_ptr<SlabSource>>& sources) {
  return core_->use(sources);
}

Bytes Memory::used(SpaceId space) const noexcept {
  const Space* found = core_->find(space);
  return found == nullptr ? Bytes() : found->budget.used();
}
Bytes Memory::budget(SpaceId space) const noexcept {
  const Space* found = core_->find(space);
  return found == nullptr ? Bytes() : found->budget.limit();
}

Bytes Memory::limit(SpaceId space, std::uint32_t priority) const {
  const Space* found = core_->find(space);
  return found == nullptr ? Bytes() : found->budget.limit_for(core_->urgency(priority));
}

void Memory::look_again() {
  core_->look_again();
}

std::vector<SpaceStatus> Memory::snapshot() const {
  return core_->snapshot();
}
std::vector<HoldingStatus> Memory::holdings(const std::string& job) const {
  return core_->holdings(job);
}

std::vector<HoldingStatus> Memory::close() {
  core_->close();
  return core_->holdings({});
}

}  // namespace pinion::host
