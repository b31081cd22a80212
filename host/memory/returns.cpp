// The ends of granted values: what was charged for each is given back, and waiting claims look again.
#include <fmt/format.h>

#include <pinion/host/base/units.hpp>
#include <utility>

#include "core.hpp"

namespace pinion::host {

void Lease::swap(Lease& other) noexcept {
  std::swap(core_, other.core_);
  std::swap(slab_, other.slab_);
  std::swap(id_, other.id_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(capacity_, other.capacity_);
  std::swap(kind_, other.kind_);
}

Lease& Lease::operator=(Lease&& other) noexcept {
  Lease(std::move(other)).swap(*this);
  return *this;
}

void Lease::seen_by(const std::string& device, SeenAs seen) const {
  if (core_ != nullptr && seen != SeenAs::unknown) core_->seen_by(slab_, device, seen);
}

// A device that knows more than it was told is no loss; memory that is not page-locked, whoever says that it is, costs.
void MemoryCore::seen_by(SlabId id, const std::string& device, SeenAs seen) {
  const Lock lock(mutex_);
  pool_.set_seen(id, seen);
  const Slab& slab = pool_.at(id);
  if (slab.kind != SlabKind::pinned || !contradicts(seen, slab.kind)) return;
  if (!contradictions_told_.insert(slab.source).second) return;
  log_.warn(
      "allocator {} states pinned memory, but {} sees {} memory ({}, {}): copies of it are staged, at a fraction of "
      "the "
      "link's rate; look at the options of {}, or choose another plugins.allocator",
      pool_.source_info(slab.source).name, device, seen_text(seen), slab.use.purpose, human_text(slab.bytes),
      pool_.source_info(slab.source).name);
}

void Lease::reset() noexcept {
  end(false);
}
void Lease::discard() noexcept {
  end(true);
}

void Lease::end(bool to_os) noexcept {
  if (const auto core = std::exchange(core_, nullptr)) core->give_back(slab_, to_os);
  slab_ = SlabId();
  data_ = nullptr;
  bytes_ = capacity_ = Bytes();
}

void MemoryCore::give_back(SlabId slab, bool to_os) {
  Lock lock(mutex_);
  if (pool_.at(slab).state == SlabState::allocating) {  // never made: the claim failed before
    uncharge(pool_.forget(slab));
  } else {
    pool_.give_back(slab, clock_.now());
    // A reserve that was drawn upon is refilled before slabs lie idle.
    const bool refill = !spaces_.front().budget.spent_reserve().zero();
    if (pool_.at(slab).stuck.empty() && (to_os || closed_ || refill)) {
      pool_.begin_release(slab);
      release_slab(lock, slab);
    }
  }
  changed();
}

void Reservation::swap(Reservation& other) noexcept {
  std::swap(core_, other.core_);
  std::swap(id_, other.id_);
  std::swap(space_, other.space_);
  std::swap(bytes_, other.bytes_);
}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  Reservation(std::move(other)).swap(*this);
  return *this;
}

Status Reservation::release(Bytes part) noexcept {
  if (core_ == nullptr || part > bytes_) {
    return Status(Code::internal,
                  fmt::format("{} bytes given back of a reservation of {}", part.count(), bytes_.count()));
  }
  core_->release_bytes(id_, space_, part);
  bytes_ -= part;
  if (bytes_.zero()) core_ = nullptr;
  return {};
}

void Reservation::reset() noexcept {
  if (core_ != nullptr) (void)release(bytes_);
}

void MemoryCore::release_bytes(ReservationId id, SpaceId space_id, Bytes part) {
  const Lock lock(mutex_);
  Space& space = spaces_[index_of(space_id)];
  const auto it = space.reservations.find(id);
  space.budget.uncharge(part);
  it->second.bytes -= part;
  if (it->second.bytes.zero()) space.reservations.erase(it);
  changed();
}

void ResidentRef::swap(ResidentRef& other) noexcept {
  std::swap(core_, other.core_);
  std::swap(entry_, other.entry_);
}

ResidentRef& ResidentRef::operator=(ResidentRef&& other) noexcept {
  ResidentRef(std::move(other)).swap(*this);
  return *this;
}

const ResidentSpec& ResidentRef::spec() const noexcept {
  return entry_->spec;
}
void* ResidentRef::handle() const noexcept {
  return entry_->handle;
}

void ResidentRef::reset() noexcept {
  const auto core = std::exchange(core_, nullptr);
  const auto entry = std::exchange(entry_, nullptr);
  if (core != nullptr) core->drop_user(entry);
}

void MemoryCore::drop_user(const std::shared_ptr<ResidentEntry>& entry) {
  Lock lock(mutex_);
  --entry->users;
  if (entry->idle()) {
    entry->idle_since = clock_.now();
    if (closed_) {
      begin_unload(entry);
      finish_unload(lock, entry);
    }
  }
  const bool nobody_waits = give_up(entry);
  if (entry->state == ResidentEntry::State::loading)
    load_ended_.notify_all();  // who would load it for others looks whether there are any left
  changed();
  lock.unlock();
  if (nobody_waits) entry->stop.request_stop();  // without the lock: it runs the loader's own callbacks
}

}  // namespace pinion::host
