// Stand-ins for allocators and loaders, and a Memory over them. Slabs are addresses that nobody may touch, so that
// tests can speak of gigabytes.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <pinion/host/memory/memory.hpp>
#include <set>
#include <stdexcept>
#include <thread>

namespace pinion::host::test {

class FakeSource final : public SlabSource {
 public:
  explicit FakeSource(std::string name = "alloc-test", SlabKind kind = SlabKind::pageable, Bytes granularity = Bytes(1))
      : info_{std::move(name), kind, granularity, Bytes()} {}

  SlabSourceInfo describe() const override { return info_; }

  Result<void*> allocate(Bytes bytes, const Placement& placement) override {
    if (on_allocate) on_allocate();
    const std::lock_guard lock(mutex_);
    last_placement = placement;
    ++calls;
    if (failures > 0) {
      --failures;
      return Status(Code::out_of_memory, "the test refuses");
    }
    if (bytes.zero() || bytes.count() % info_.granularity.count() != 0) throw std::logic_error("size not granular");
    void* slab = reinterpret_cast<void*>(next_ += 1 << 20);
    live_.emplace(slab, Slab{bytes, placement.device_uuid ? placement.device_uuid->front() : std::uint8_t{0}});
    return slab;
  }

  Status release(void* slab, Bytes bytes) noexcept override {
    if (on_release) on_release();
    const std::lock_guard lock(mutex_);
    const auto it = live_.find(slab);
    if (it == live_.end() || it->second.bytes != bytes) std::terminate();  // released twice, or with another size
    if (it->second.kept) std::terminate();                                 // asked for again, although it was told
    it->second.kept = keeps || lost.contains(it->second.device);
    if (it->second.kept) return Status(Code::device_lost, "device 3 is lost and keeps the pages");
    live_.erase(it);
    released.push_back(bytes);
    return {};
  }

  Bytes live() const {
    return sum_of([](const Slab&) { return true; });
  }
  // Of those that it did not give back.
  Bytes kept() const {
    return sum_of([](const Slab& slab) { return slab.kept; });
  }
  // Slabs made for this device are not given back any more.
  void lose(std::uint8_t device) {
    const std::lock_guard lock(mutex_);
    lost.insert(device);
  }

  std::function<void()> on_allocate, on_release;
  int failures = 0;             // of the next calls
  bool keeps = false;           // gives nothing back
  std::set<std::uint8_t> lost;  // devices, by the first byte of their UUID
  int calls = 0;
  Placement last_placement;
  std::vector<Bytes> released;

 private:
  struct Slab {
    Bytes bytes;
    std::uint8_t device = 0;
    bool kept = false;
  };
  template <class Which>
  Bytes sum_of(Which&& which) const {
    const std::lock_guard lock(mutex_);
    Bytes sum;
    for (const auto& [data, slab] : live_)
      if (which(slab)) sum += slab.bytes;
    return sum;
  }

  const SlabSourceInfo info_;
  mutable std::mutex mutex_;
  std::uintptr_t next_ = 1 << 20;
  std::map<void*, Slab> live_;
};

class FakeLoader final : public ResidentLoader {
 public:
  Result<void*> load(const LoadCall& call) override {
    ++loads;
    if (on_load) {
      if (Status status = on_load(call); !status.ok()) return status;
    }
    ++loaded;
    return static_cast<void*>(this);
  }
  void unload(void* handle) noexcept override {
    if (handle != this) std::terminate();
    if (on_unload) on_unload();
    --loaded;
    ++unloads;
  }

  std::function<Status(const LoadCall&)> on_load;
  std::function<void()> on_unload;
  std::atomic<int> loads{0};
  std::atomic<int> unloads{0};
  std::atomic<int> loaded{0};
};

// Spaces host (100 bytes) and device 0 (50 bytes), one allocator, max_waste a quarter, evict_min_idle five minutes.
struct Bench {
  explicit Bench(Bytes host = Bytes(100), MemoryOptions options = {})
      : memory(options, {{SpaceId::host(), host, {source}}, {SpaceId::device(0), Bytes(50), {}}}, clock, log) {}

  Bytes used() const { return memory.used(SpaceId::host()); }
  SpaceStatus status(std::size_t space = 0) const { return memory.snapshot()[space]; }

  MemoryLog log;
  ManualClock clock;
  std::shared_ptr<FakeSource> source = std::make_shared<FakeSource>();
  std::shared_ptr<FakeLoader> loader = std::make_shared<FakeLoader>();
  Memory memory;
};

// A device by the first byte of its UUID; 0: anywhere.
inline Placement near_device(std::uint8_t device) {
  Placement placement;
  if (device != 0) placement.device_uuid.emplace().fill(device);
  return placement;
}

inline Owner job(const std::string& id) {
  return {id, std::nullopt, ""};
}

inline Claim slabs(const std::string& owner, std::initializer_list<std::uint64_t> sizes, std::uint32_t priority = 0) {
  Claim claim;
  claim.owner = job(owner);
  claim.priority = priority;
  for (std::uint64_t size : sizes) claim.slabs.push_back({Bytes(size), {}, {}, "test"});
  return claim;
}

inline Claim bytes(const std::string& owner, std::uint64_t size, std::uint32_t priority = 0, SpaceId space = {}) {
  Claim claim;
  claim.owner = job(owner);
  claim.priority = priority;
  claim.bytes.push_back({space, Bytes(size), "test"});
  return claim;
}

inline ResidentSpec resident(const std::string& id, std::uint64_t size, std::shared_ptr<ResidentLoader> loader,
                             SpaceId home = {}, Duration reload = std::chrono::seconds(1)) {
  ResidentSpec spec;
  spec.id = id;
  spec.home = home;
  spec.plugin = "loader-test";
  spec.bytes.push_back({home, Bytes(size), "resident"});
  spec.reload = reload;
  spec.loader = std::move(loader);
  return spec;
}

// All of it is in a slab of the pool.
inline ResidentSpec slab_resident(const std::string& id, std::uint64_t size, std::shared_ptr<ResidentLoader> loader) {
  ResidentSpec spec = resident(id, 0, std::move(loader));
  spec.bytes.clear();
  spec.buffer = SlabNeed{Bytes(size), {}, {}, id};
  return spec;
}

inline Claim use(const std::string& owner, ResidentSpec spec) {
  Claim claim;
  claim.owner = job(owner);
  claim.residents.push_back(std::move(spec));
  return claim;
}

// The sum that SpaceStatus promises.
inline Bytes accounted(const SpaceStatus& status) {
  Bytes sum;
  for (const HoldingStatus& holding : status.holdings) sum += holding.reserved;
  for (const ResidentStatus& resident : status.residents) sum += resident.bytes;
  return sum;
}

// Waits, at most ten seconds, until `condition` holds.
template <class Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 10'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

// A claim on a thread of its own.
class Claimant {
 public:
  Claimant(Memory& memory, Claim claim)
      : thread_([this, &memory, claim = std::move(claim)](std::stop_token stop) {
          result_ = memory.claim(claim, stop);
          done_ = true;
        }) {}
  bool done() const { return done_; }
  void cancel() { thread_.request_stop(); }
  Result<Granted>& result() {
    if (thread_.joinable()) thread_.join();
    return result_;
  }

 private:
  std::atomic<bool> done_{false};
  Result<Granted> result_{Status(Code::internal, "not run")};
  std::jthread thread_;
};

// What a claim gets that waits for nobody: cancelled when it waits all the same.
inline Result<Granted> at_once(Memory& memory, Claim claim) {
  Claimant claimant(memory, std::move(claim));
  if (!soon([&] { return claimant.done(); })) claimant.cancel();
  return std::move(claimant.result());
}

inline bool waiting(const Memory& memory, std::size_t claims, std::size_t space = 0) {
  return soon([&] { return memory.snapshot()[space].waiting.size() == claims; });
}

}  // namespace pinion::host::test
