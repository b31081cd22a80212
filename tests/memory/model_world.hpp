// What the model of the memory acts on: a memory of a host and a device, all fakes within reach; what is held of it;
// and the books, which must balance after every step. What the steps do, and what they may lead to, is the model's.
#pragma once

#include <algorithm>

#include "model_books.hpp"
#include "model_steps.hpp"

namespace pinion::host::test {

class World {
 public:
  static constexpr auto kMinIdle = std::chrono::minutes(5);

  World(std::uint64_t host, std::uint64_t reserve) : limit_(host), reserve_(std::min(reserve, host / 2)) {
    const MemoryOptions options{.evict_min_idle = kMinIdle, .critical_priority = kCritical};
    memory_ =
        std::make_unique<Memory>(options,
                                 std::vector<SpaceSetup>{{SpaceId::host(), Bytes(host), {source_}, Bytes(reserve_)},
                                                         {SpaceId::device(0), Bytes(kDevice), {}}},
                                 clock_, log_);
    for (std::size_t i = 0; i < kResidents.size(); ++i) loaders_.push_back(std::make_shared<FakeLoader>());
  }

 protected:
  struct Held {
    Granted granted;
    Step step;
  };

  ResidentSpec spec(int i) const {
    const ResidentFacts& facts = kResidents[static_cast<std::size_t>(i)];
    ResidentSpec spec = resident("r" + std::to_string(i), facts.bytes, loader(i), facts.home, std::chrono::seconds(i));
    if (facts.buffered) {
      spec.buffer = SlabNeed{Bytes(facts.bytes), {}, {}, "buffer"};
      spec.bytes.clear();
    }
    spec.load_bytes.push_back({SpaceId::host(), Bytes(facts.load_bytes), "loading"});
    return spec;
  }
  const std::shared_ptr<FakeLoader>& loader(int i) const { return loaders_[static_cast<std::size_t>(i)]; }

  int users(int resident) const {
    std::ptrdiff_t count = 0;
    for (const Held& held : held_)
      count += std::count(held.step.residents.begin(), held.step.residents.end(), resident);
    return static_cast<int>(count);
  }

  // Idle residents that no ordinary claim drops while others work.
  std::vector<int> spared() const {
    std::vector<int> out;
    for (const ResidentStatus& resident : residents_of(*memory_)) {
      const int i = resident.id.at(1) - '0';
      if (resident.idle && (critical_[static_cast<std::size_t>(i)] || *resident.idle < kMinIdle)) out.push_back(i);
    }
    return out;
  }

  std::vector<int> loaded() const {
    std::vector<int> out;
    for (int i = 0; i < static_cast<int>(kResidents.size()); ++i)
      if (loader(i)->loaded == 1) out.push_back(i);
    return out;
  }

  std::uint64_t stuck() const { return source_->kept().count(); }

  // Bytes of the host, and of the device, that no eviction gives back.
  std::uint64_t in_use() const {
    std::uint64_t sum = 0;
    for (const Held& held : held_) {
      sum += held.step.host;
      for (const Lease& slab : held.granted.slabs) sum += slab.capacity().count();
    }
    const SpaceStatus host = memory_->snapshot().front();
    for (const ResidentStatus& resident : host.residents)
      if (resident.users != 0) sum += resident.bytes.count();
    return sum;
  }
  std::uint64_t device_in_use() const {
    std::uint64_t sum = users(3) > 0 ? kResidents[3].bytes : 0;
    for (const Held& held : held_) sum += held.step.device;
    return sum;
  }

  void check() const {
    const std::vector<SpaceStatus> status = memory_->snapshot();
    for (const SpaceStatus& space : status) {
      RC_ASSERT(space.used <= space.budget);
      RC_ASSERT(space.high_water <= space.budget);
      RC_ASSERT(accounted(space) == space.used);
      RC_ASSERT(space.waiting.empty());
    }
    std::uint64_t host = unspent_reserve(*memory_).count(), device = 0;
    for (const Held& held : held_) {
      host += held.step.host;
      for (const std::uint64_t size : held.step.slabs) host += size;
      device += held.step.device;
    }
    RC_ASSERT(requested(status[0]) == Bytes(host));
    RC_ASSERT(requested(status[1]) == Bytes(device));
    RC_ASSERT(
        (unspent_reserve(*memory_).count() == reserve_ || status[0].used == status[0].budget));  // it is spent last
    check_residents();
    // The pool's slabs are exactly what the allocator has given out, and those it keeps are shown.
    RC_ASSERT(slab_bytes(status[0], "r1") == source_->live());
    RC_ASSERT(status[0].stuck == source_->kept());
  }

  void check_residents() const {
    std::vector<int> there;
    for (const ResidentStatus& resident : residents_of(*memory_)) {
      there.push_back(resident.id.at(1) - '0');
      RC_ASSERT(resident.users == static_cast<unsigned>(users(there.back())));
    }
    std::sort(there.begin(), there.end());
    RC_ASSERT(there == loaded());
    for (const auto& each : loaders_) RC_ASSERT((each->loaded == 0 || each->loaded == 1));
    for (int i = 0; i < static_cast<int>(kResidents.size()); ++i)
      if (users(i) > 0) RC_ASSERT(loader(i)->loaded == 1);
  }

  const std::uint64_t limit_, reserve_;
  ManualClock clock_;
  MemoryLog log_;
  std::shared_ptr<FakeSource> source_ = std::make_shared<FakeSource>();
  std::vector<std::shared_ptr<FakeLoader>> loaders_;
  std::unique_ptr<Memory> memory_;
  std::vector<Held> held_;
  std::array<bool, 4> critical_{};  // the last claim that asked for the resident was, as far as is known
};

}  // namespace pinion::host::test
