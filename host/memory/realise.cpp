// After a claim is granted on paper: slabs are made, residents loaded. Slow, so without the lock; every failing path
// gives back what was charged.
#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/base/units.hpp>

#include "core.hpp"

namespace pinion::host {

Result<Granted> MemoryCore::realised(const Claim& claim, const std::function<Result<Commit>()>& admit,
                                     const std::stop_token& stop) {
  for (;;) {
    Result<Commit> admitted = admit();
    if (!admitted) return admitted.status();
    Commit commit = std::move(*admitted);
    const Status status = realise(claim, commit, stop);
    if (status.ok()) return std::move(commit.granted);
    if (!commit.again) return status;
  }
}

Status MemoryCore::realise(const Claim& claim, Commit& commit, const std::stop_token& stop) {
  // Residents first, so that others who wait for one we load are not held up by our slabs. We wait only for loads of
  // claims that were granted before ours: no circle.
  std::size_t next_duty = 0;
  for (std::size_t i = 0; i < commit.granted.residents.size(); ++i) {
    const bool ours = next_duty < commit.duties.size() && commit.duties[next_duty].index == i;
    const Status status = ours ? load(claim, commit, commit.duties[next_duty++], stop)
                               : wait_loaded(claim, commit, *commit.granted.residents[i].entry_, stop);
    if (!status.ok()) {
      abandon(claim, commit, next_duty, status, stop);
      return status;
    }
  }
  for (std::size_t i = 0; i < commit.granted.slabs.size(); ++i) {
    const Status status = make_slab(commit.granted.slabs[i], claim);
    if (!status.ok()) {
      return status.within(fmt::format("making \"{}\" for {}", claim.slabs[i].purpose, claim.owner.text()));
    }
  }
  return {};
}

// Asks again when eviction gave something back.
Result<void*> MemoryCore::ask_allocator(std::size_t source, const Slab& slab, const Claim& claim) {
  Result<void*> made = pool_.source(source).allocate(slab.bytes, slab.placement);
  if (made || made.status().code() != Code::out_of_memory) return made;
  Span span = claim.span("evict");
  const Bytes freed = evict(SpaceId::host(), slab.bytes, Spare::yes);
  span.add_bytes(freed);
  span.end();
  if (freed.zero()) return made;
  return pool_.source(source).allocate(slab.bytes, slab.placement);
}

Status MemoryCore::make_slab(Lease& lease, const Claim& claim) {
  if (lease.core_ == nullptr || lease.data_ != nullptr) return {};  // zero bytes, or reused
  Span span = claim.span("make slab");
  Slab slab;
  {
    const Lock lock(mutex_);
    slab = pool_.at(lease.slab_);
  }
  Status first_failure;
  for (std::size_t source : pool_.sources_from(slab.source, slab.wanted)) {
    const SlabSourceInfo& info = pool_.source_info(source);
    const Status allowed = adopt_kind(lease.slab_, info.kind);
    Result<void*> made = allowed.ok() ? ask_allocator(source, slab, claim) : allowed;
    if (!made) {
      if (first_failure.ok()) {
        first_failure = made.status().within(fmt::format("allocator {}, asked for {} of host memory ({} bytes)",
                                                         info.name, human_text(slab.bytes), slab.bytes.count()));
      }
      continue;
    }
    span.add_bytes(slab.bytes);
    const Lock lock(mutex_);
    pool_.born(lease.slab_, *made, source);
    lease.data_ = *made;
    lease.kind_ = info.kind;
    if (!first_failure.ok() && fallbacks_told_.insert(source).second) {
      log_.warn("falling back to allocator {}: {}", info.name, first_failure.text());
    }
    return {};
  }
  return first_failure;
}

// A slab that is about to be made turns out to be of another kind than planned: a fallback's.
Status MemoryCore::adopt_kind(SlabId id, SlabKind kind) {
  const Lock lock(mutex_);
  const Slab& slab = pool_.at(id);
  if (slab.kind == kind) return {};
  Budget& locked = spaces_.back().budget;
  if (kind == SlabKind::pageable) {
    locked.uncharge(slab.bytes);
  } else if (!locked.try_charge(slab.bytes)) {
    return Status(Code::out_of_memory, fmt::format("{} of {} page-locked memory are in use (memory.pinned_max)",
                                                   human_text(locked.used()), human_text(locked.limit())));
  }
  changed();
  pool_.set_kind(id, kind);
  return {};
}

Status MemoryCore::load(const Claim& claim, Commit& commit, LoadDuty& duty, const std::stop_token& stop) {
  const std::shared_ptr<ResidentEntry> entry = commit.granted.residents[duty.index].entry_;
  // Our own cancellation ends the load only when nobody else waits for it.
  const std::stop_callback left(stop, [this, &entry] {
    bool nobody_waits = false;
    {
      const Lock lock(mutex_);
      entry->loader_left = true;
      nobody_waits = give_up(entry);
    }
    if (nobody_waits) entry->stop.request_stop();
  });
  Result<void*> handle = call_loader(claim, commit, *entry, duty.index);
  duty.load_bytes.clear();
  if (handle) {
    const Lock lock(mutex_);
    if (!entry->given_up) {
      entry->handle = *handle;
      entry->state = ResidentEntry::State::ready;
      load_ended_.notify_all();
      return {};
    }
  }
  if (handle) {  // it did not listen
    entry->spec.loader->unload(*handle);
    handle = Status(Code::cancelled, "nobody waited for it any more");
  }
  const Status failure = handle.status().within("loading " + entry->spec.id);
  loading_failed(entry, failure);
  return failure;
}

// Whether a load is of use to nobody. Whoever asks for the resident from now on has it loaded anew: the failure of a
// load that others gave up would not be theirs.
bool MemoryCore::give_up(const std::shared_ptr<ResidentEntry>& entry) {
  if (entry->state != ResidentEntry::State::loading || !entry->loader_left || entry->users != 1) return false;
  entry->given_up = true;
  begin_leaving(entry);
  return true;
}

Result<void*> MemoryCore::call_loader(const Claim& claim, Commit& commit, ResidentEntry& entry, std::size_t index) {
  const Span span = claim.span("load");
  if (const Status status = make_slab(entry.buffer, claim); !status.ok()) return status;
  std::vector<const ResidentRef*> earlier;
  {
    const Lock lock(mutex_);
    for (const ResidentRef& ref : std::span(commit.granted.residents).first(index))
      if (ref.entry_->state == ResidentEntry::State::ready) earlier.push_back(&ref);
  }
  const LoadCall call{
      entry.spec,     claim.owner, entry.spec.buffer ? &entry.buffer : nullptr, earlier, entry.stop.get_token(),
      claim.priority, span.id()};
  try {
    return entry.spec.loader->load(call);
  } catch (const std::exception& error) {
    return Status(Code::internal, fmt::format("the loader of {} threw: {}", entry.spec.plugin, error.what()));
  }
}

void MemoryCore::loading_failed(const std::shared_ptr<ResidentEntry>& entry, const Status& failure) {
  Lock lock(mutex_);
  begin_leaving(entry);  // who asks for it while its slab is released would be told of a load that began before
  release_buffer(lock, *entry);
  uncharge(*entry);
  entry->failure = failure;
  entry->state = ResidentEntry::State::failed;
  std::erase(leaving_, entry);
  load_ended_.notify_all();
  changed();
}

Status MemoryCore::wait_loaded(const Claim& claim, Commit& commit, ResidentEntry& entry, const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] {
    const Lock lock(mutex_);
    load_ended_.notify_all();
  });
  Lock lock(mutex_);
  if (entry.state == ResidentEntry::State::ready) return {};
  const Span span = claim.span("wait for load");
  load_ended_.wait(lock, [&] { return entry.state != ResidentEntry::State::loading || stop.stop_requested(); });
  if (entry.state == ResidentEntry::State::failed) {
    commit.again = entry.orphaned;
    return entry.failure;
  }
  if (entry.state == ResidentEntry::State::loading) {
    return Status(Code::cancelled, "cancelled while " + entry.spec.id + " was being loaded");
  }
  return {};
}

// Whether others wait for a resident that the claim itself needs no more, and it can be made: once those it may be made
// from are loaded. If nobody waits it is given up; if one of those has failed, which need not be the one that others
// have, it is theirs to load.
bool MemoryCore::loaded_for_others(const Commit& commit, const LoadDuty& duty) {
  const std::span earlier = std::span(commit.granted.residents).first(duty.index);
  const std::shared_ptr<ResidentEntry> entry = commit.granted.residents[duty.index].entry_;
  const auto loading = [](const ResidentRef& ref) { return ref.entry_->state == ResidentEntry::State::loading; };
  Lock lock(mutex_);
  load_ended_.wait(lock, [&] { return entry->users == 1 || std::none_of(earlier.begin(), earlier.end(), loading); });
  entry->loader_left = true;
  if (give_up(entry)) return false;
  const auto ready = [](const ResidentRef& ref) { return ref.entry_->state == ResidentEntry::State::ready; };
  entry->orphaned = !std::all_of(earlier.begin(), earlier.end(), ready);
  return !entry->orphaned;
}

// The claim fails before its duties from `next_duty` on were begun. A resident that others already wait for is loaded
// for them all the same.
void MemoryCore::abandon(const Claim& claim, Commit& commit, std::size_t next_duty, const Status& why,
                         const std::stop_token& stop) {
  for (; next_duty < commit.duties.size(); ++next_duty) {
    LoadDuty& duty = commit.duties[next_duty];
    if (loaded_for_others(commit, duty)) {
      (void)load(claim, commit, duty, stop);
    } else {
      loading_failed(commit.granted.residents[duty.index].entry_, why);
    }
  }
}

}  // namespace pinion::host
