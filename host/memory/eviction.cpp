// Dropping idle things: what the evictor chose is taken off the books of the pool at once, given back to its maker
// without the lock, and uncharged only then.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <pinion/host/base/units.hpp>
#include <pinion/host/memory/heap.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "core.hpp"

namespace pinion::host {
namespace {

constexpr std::size_t kMostReleasers = 16;

}  // namespace

bool MemoryCore::wanted(const Slab& slab) const {
  return std::any_of(order_.waiters().begin(), order_.waiters().end(), [&](const Waiter* waiter) {
    const auto fits = [&](const SlabNeed& need) {
      return !need.bytes.zero() && Pool::fits(slab, need, pool_.max_waste());
    };
    const Claim& claim = *waiter->claim;
    return std::any_of(claim.slabs.begin(), claim.slabs.end(), fits) ||
           std::any_of(claim.residents.begin(), claim.residents.end(),
                       [&](const ResidentSpec& spec) { return spec.buffer && fits(*spec.buffer); });
  });
}

bool MemoryCore::is_stuck(const Lease& buffer) const {
  return buffer.core_ != nullptr && !pool_.at(buffer.slab_).stuck.empty();
}

Idle MemoryCore::idle_things(const std::set<SlabId>& keep_slabs, const Claim* keep_residents) const {
  Idle idle;
  for (const auto& [id, slab] : pool_.slabs()) {
    if (slab.state != SlabState::idle || !slab.stuck.empty() || keep_slabs.contains(id)) continue;
    BytesBySpace bytes = zero();
    add_slab(bytes, slab.bytes, slab.kind);
    idle.slabs.push_back({id, std::move(bytes), slab.idle_since, wanted(slab)});
  }
  for (const auto& [key, entry] : residents_) {
    if (!entry->idle()) continue;
    const auto same = [&key = key](const ResidentSpec& spec) { return ResidentKey(spec.home, spec.id) == key; };
    if (keep_residents != nullptr &&
        std::any_of(keep_residents->residents.begin(), keep_residents->residents.end(), same)) {
      continue;
    }
    BytesBySpace bytes = entry->charged;
    if (!is_stuck(entry->buffer)) add_slab(bytes, entry->buffer.capacity(), entry->buffer.kind());
    idle.residents.push_back({entry, std::move(bytes), entry->idle_since, entry->spec.reload, entry->critical});
  }
  return idle;
}

BytesBySpace MemoryCore::release_slab(Lock& lock, SlabId id) {
  const Slab slab = pool_.at(id);
  lock.unlock();
  const Status status = pool_.source(slab.source).release(slab.data, slab.bytes);
  lock.lock();
  BytesBySpace uncharged = zero();
  if (status.ok()) {
    uncharged = uncharge(pool_.forget(id));
  } else {
    pool_.keep(id, status.message(), clock_.now());
    if (stuck_told_.insert(status.message()).second)
      log_.error("a slab of {} stays charged, and is lent again, but never given back: {}", human_text(slab.bytes),
                 status.message());
  }
  changed();
  return uncharged;
}

void MemoryCore::add(BytesBySpace& sum, const BytesBySpace& more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

void MemoryCore::add_slab(BytesBySpace& sum, Bytes bytes, SlabKind kind) {
  sum.front() += bytes;
  if (kind == SlabKind::pinned) sum.back() += bytes;
}

BytesBySpace MemoryCore::uncharge(const Slab& slab) {
  BytesBySpace bytes = zero();
  add_slab(bytes, slab.bytes, slab.kind);
  for (std::size_t i = 0; i < spaces_.size(); ++i) spaces_[i].budget.uncharge(bytes[i]);
  return bytes;
}

void MemoryCore::begin_unload(const std::shared_ptr<ResidentEntry>& entry) {
  entry->state = ResidentEntry::State::unloading;
  begin_leaving(entry);
}

// Nobody finds it any more; it stays charged, and visible, until it is gone.
void MemoryCore::begin_leaving(const std::shared_ptr<ResidentEntry>& entry) {
  const auto it = residents_.find({entry->spec.home, entry->spec.id});
  if (it == residents_.end() || it->second != entry) return;  // leaves already
  residents_.erase(it);
  leaving_.push_back(entry);
  loaded_changed({entry->spec.home, entry->spec.id});
}

// Under the lock at every step that others can see: a slab is either its resident's or being released.
BytesBySpace MemoryCore::release_buffer(Lock& lock, ResidentEntry& entry) {
  if (entry.buffer.core_ == nullptr) return zero();
  const SlabId slab = entry.buffer.slab_;
  entry.buffer.core_ = nullptr;  // its end is here, not in its destructor
  entry.buffer = Lease();
  if (pool_.at(slab).state == SlabState::allocating) return uncharge(pool_.forget(slab));
  pool_.give_back(slab, clock_.now());
  if (!pool_.at(slab).stuck.empty()) return zero();
  pool_.begin_release(slab);
  return release_slab(lock, slab);
}

BytesBySpace MemoryCore::uncharge(ResidentEntry& entry) {
  for (std::size_t i = 0; i < spaces_.size(); ++i) spaces_[i].budget.uncharge(entry.charged[i]);
  return std::exchange(entry.charged, zero());
}

BytesBySpace MemoryCore::finish_unload(Lock& lock, const std::shared_ptr<ResidentEntry>& entry, const Span& within) {
  lock.unlock();
  entry->spec.loader->unload(entry->handle);
  {
    Span trim = within.child("trim");
    trim.add_bytes(trim_heap());  // before it is uncharged: what its loader freed is charged to nobody afterwards
  }
  lock.lock();
  BytesBySpace uncharged = release_buffer(lock, *entry);
  add(uncharged, uncharge(*entry));
  ++spaces_[index_of(entry->spec.home)].evicted;
  std::erase(leaving_, entry);
  changed();
  return uncharged;
}

// What is dropped for a claim is told as its eviction.
Bytes MemoryCore::drop(Lock& lock, const Victims& victims, std::size_t counted_space, const Claim* for_claim) {
  Span span = for_claim == nullptr ? Span() : for_claim->span("evict");
  Bytes uncharged;
  // All at once, so that nobody takes one of them while the lock is released for another.
  for (const IdleSlab& slab : victims.slabs) pool_.begin_release(slab.id);
  for (const IdleResident& resident : victims.residents) begin_unload(resident.entry);
  for (const IdleSlab& slab : victims.slabs) uncharged += release_slab(lock, slab.id)[counted_space];
  for (const IdleResident& resident : victims.residents)
    uncharged += finish_unload(lock, resident.entry, span)[counted_space];
  span.add_bytes(uncharged);
  return uncharged;
}

Bytes MemoryCore::evict(SpaceId space, Bytes wanted, Spare spare) {
  Lock lock(mutex_);
  const std::size_t i = index_of(space);
  if (i == spaces_.size()) return Bytes();
  BytesBySpace shortfall = zero();
  shortfall[i] = wanted;
  const Duration min_idle = spare == Spare::yes ? options_.evict_min_idle : Duration(0);
  return drop(lock, choose_victims(idle_things({}, nullptr), shortfall, clock_.now(), min_idle, spare), i);
}

Result<Bytes> MemoryCore::evict_resident(SpaceId space, const std::string& id) {
  Lock lock(mutex_);
  const auto it = residents_.find({space, id});
  if (it == residents_.end()) {
    return Status(Code::invalid_input, fmt::format("\"{}\" is not loaded in space {}", id, space.text()));
  }
  const std::shared_ptr<ResidentEntry> entry = it->second;
  if (!entry->idle()) {
    return Status(Code::unsupported, fmt::format("\"{}\" in space {} is in use by {} claim(s); it can be evicted when "
                                                 "they have ended",
                                                 id, space.text(), entry->users));
  }
  Victims victims;
  for (IdleResident& resident : idle_things({}, nullptr).residents) {
    if (resident.entry == entry) victims.residents.push_back(std::move(resident));
  }
  return drop(lock, victims, index_of(space));
}

Bytes MemoryCore::use(const std::vector<std::shared_ptr<SlabSource>>& sources) {
  Lock lock(mutex_);
  Victims victims;
  victims.slabs = idle_things({}, nullptr).slabs;
  pool_.use(sources);
  wake_all();
  return drop(lock, victims, 0);
}

// Idle slabs made for a device that is used no more.
Bytes MemoryCore::retire(const Placement& placement) {
  Lock lock(mutex_);
  if (!placement.device_uuid) return Bytes();
  Victims victims;
  for (IdleSlab& slab : idle_things({}, nullptr).slabs)
    if (pool_.at(slab.id).placement.device_uuid == placement.device_uuid) victims.slabs.push_back(std::move(slab));
  return drop(lock, victims, 0);
}

// Unpinning takes seconds for what is large: several at a time.
void MemoryCore::drop_everything(Lock& lock) {
  Idle everything = idle_things({}, nullptr);
  // The largest first, so that no hand is left with it alone at the end.
  std::sort(everything.slabs.begin(), everything.slabs.end(),
            [](const IdleSlab& a, const IdleSlab& b) { return a.bytes.front() > b.bytes.front(); });
  std::vector<std::function<BytesBySpace(Lock&)>> ends;
  for (const IdleSlab& slab : everything.slabs) {
    pool_.begin_release(slab.id);
    ends.emplace_back([this, id = slab.id](Lock& own) { return release_slab(own, id); });
  }
  for (const IdleResident& resident : everything.residents) {
    begin_unload(resident.entry);
    ends.emplace_back([this, entry = resident.entry](Lock& own) { return finish_unload(own, entry); });
  }
  lock.unlock();
  const TimePoint begin = clock_.now();
  std::atomic<std::size_t> next{0};
  Bytes bytes;  // under the lock
  const auto work = [&] {
    for (std::size_t end = next++; end < ends.size(); end = next++) {
      Lock own(mutex_);
      bytes += ends[end](own).front();
    }
  };
  {
    std::vector<std::jthread> crew;
    try {
      while (crew.size() + 1 < std::min(ends.size(), kMostReleasers)) crew.emplace_back(work);
    } catch (const std::system_error&) {  // no more threads to be had: fewer hands do it
    }
    work();
  }
  const std::chrono::duration<double> taken = clock_.now() - begin;
  if (!bytes.zero())
    log_.info("gave back {} of host memory in {:.2f} s ({:.1f} GiB/s): {} idle slabs, {} residents", human_text(bytes),
              taken.count(), static_cast<double>(bytes.count()) / (1 << 30) / std::max(taken.count(), 1e-6),
              everything.slabs.size(), everything.residents.size());
  lock.lock();
}

void MemoryCore::close() {
  Lock lock(mutex_);
  closed_ = true;
  wake_all();
  nobody_waits_.notify_all();
  drop_everything(lock);
}

}  // namespace pinion::host
