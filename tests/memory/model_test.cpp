// Random claims, critical or not, that wait or not; returns, evictions, loads ahead, allocators and loaders that fail,
// devices that are lost; under a budget that just holds one of the claims. The model keeps only what must be true: who
// holds what, and which residents critical work asked for last. After every step the books must balance.
#include <catch2/catch.hpp>
#include <optional>

#include "model_world.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

class Model : World {
 public:
  using World::World;

  void run(const Step& step) {
    switch (step.what) {
      case Do::claim_now:
        claim(step, memory_->try_claim(claim_of(step)));
        break;
      case Do::claim:
        claim(step, unless_it_waits(claim_of(step)));
        break;
      case Do::end:
        if (!held_.empty()) held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(step.which % held_.size()));
        break;
      case Do::end_all:
        held_.clear();
        break;
      case Do::evict:
        evict(step);
        break;
      case Do::evict_resident:
        evict_resident(step);
        break;
      case Do::preload:
        preload(step);
        break;
      case Do::allocator_fails:
        allocator_fails(step);
        break;
      case Do::loader_fails:
        loader_fails(step);
        break;
      case Do::time:
        clock_.advance(std::chrono::seconds(step.which));
        break;
      case Do::lose_device:
        source_->lose(static_cast<std::uint8_t>(1 + step.which % 2));
        freed_as_told([&] { return memory_->retire(near_device(static_cast<std::uint8_t>(1 + step.which % 2))); });
        break;
    }
    check();
  }

 private:
  Claim claim_of(const Step& step) const {
    Claim claim;
    claim.owner = job("job");
    claim.owner.partition = 0;
    claim.priority = step.critical ? kCritical : 0;
    for (const std::uint64_t size : step.slabs)
      claim.slabs.push_back({Bytes(size), {}, near_device(static_cast<std::uint8_t>(size % 3)), "slab"});
    claim.bytes = {{SpaceId::host(), Bytes(step.host), "bytes"}, {SpaceId::device(0), Bytes(step.device), "arena"}};
    for (const int i : step.residents) claim.residents.push_back(spec(i));
    return claim;
  }

  // Cancelled when it waits. What it gets without waiting does not depend on when that is.
  Result<Granted> unless_it_waits(Claim claim) {
    idle_before_ = spared();
    waits_ = true;
    Claimant claimant(*memory_, std::move(claim));
    for (int looks = 0; !claimant.done(); ++looks) {
      if (!held_.empty() && somebody_waits(*memory_)) claimant.cancel();
      if (looks == 20'000) RC_FAIL("a claim waits although nobody works");
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return std::move(claimant.result());
  }

  std::uint64_t limit_for(const Step& step) const { return step.critical ? limit_ : limit_ - reserve_; }

  void refused(const Step& step, Code code, bool waited, bool never, bool possible) {
    for (const int i : step.residents) critical_[static_cast<std::size_t>(i)] = false;  // or not: it may have had them
    if (code == Code::over_budget) {
      RC_ASSERT_FALSE(possible);
      return;
    }
    RC_ASSERT(code == (waited ? Code::cancelled : Code::out_of_memory));
    RC_ASSERT_FALSE(never);
    RC_ASSERT_FALSE(held_.empty());  // else nobody has what it asks for
    // It did not fit beside what others hold and what is stuck: everything else can be dropped for it.
    const Asked sum = asked(step);
    if (!waited && step.residents.empty())
      RC_ASSERT((sum.host + in_use() + stuck() > limit_for(step) || sum.device + device_in_use() > kDevice));
  }

  void claim(const Step& step, Result<Granted> granted) {
    const Asked sum = asked(step);
    const bool never = sum.host > limit_for(step) || sum.device > kDevice;
    const bool possible = sum.host_most() + stuck() <= limit_for(step) && sum.device <= kDevice;
    const bool waited = std::exchange(waits_, false);
    if (waited && !step.critical && !held_.empty())
      for (const int i : idle_before_) RC_ASSERT(loader(i)->loaded == 1);
    if (!granted) {
      refused(step, granted.status().code(), waited, never, possible);
      return;
    }
    RC_ASSERT(!never);
    for (std::size_t i = 0; i < step.slabs.size(); ++i) {
      const Lease& slab = granted->slabs.at(i);
      RC_ASSERT(slab.bytes() == Bytes(step.slabs[i]));
      RC_ASSERT(slab.capacity() >= Bytes(step.slabs[i]));
      RC_ASSERT((slab.data() == nullptr) == (step.slabs[i] == 0));
    }
    for (const int i : step.residents) critical_[static_cast<std::size_t>(i)] = step.critical;
    held_.push_back({std::move(*granted), step});
  }

  // Only what is charged can be told to be freed, and what is refilled of the reserve was freed too.
  template <class Free>
  Bytes freed_as_told(Free&& free, SpaceId space = {}) {
    const auto held = [&] {
      return memory_->used(space) - (space == SpaceId::host() ? unspent_reserve(*memory_) : Bytes());
    };
    const Bytes before = held();
    const Bytes freed = free();
    RC_ASSERT(held() + freed == before);
    return freed;
  }

  void evict(const Step& step) {
    const SpaceId space = step.which % 2 == 0 ? SpaceId::host() : SpaceId::device(0);
    const Bytes wanted(step.which);
    const std::uint64_t stuck_before = stuck();
    const Bytes freed = freed_as_told([&] { return memory_->evict(space, wanted); }, space);
    if (freed < wanted && stuck() == stuck_before) RC_ASSERT(memory_->evict(space, Bytes(1)) == Bytes());
  }

  void evict_resident(const Step& step) {
    const int i = static_cast<int>(step.which % kResidents.size());
    const ResidentFacts& facts = kResidents[static_cast<std::size_t>(i)];
    const bool idle = loader(i)->loaded == 1 && users(i) == 0;
    Result<Bytes> freed{Bytes()};
    freed_as_told(
        [&] {
          freed = memory_->evict(facts.home, "r" + std::to_string(i));
          return freed ? *freed : Bytes();
        },
        facts.home);
    RC_ASSERT(freed.ok() == idle);
    if (freed && (!facts.buffered || stuck() == 0)) RC_ASSERT(*freed >= Bytes(facts.bytes));
  }

  // As at the start of the host: nothing is dropped for it, and it stays when its claim ends.
  void preload(const Step& step) {
    Step only = step;
    only.slabs.clear();
    only.host = only.device = 0;
    Claim claim = claim_of(only);
    claim.drops = false;
    const std::vector<int> before = loaded();
    const std::size_t released = source_->released.size();
    const bool done = memory_->try_claim(claim).ok();
    RC_ASSERT((source_->released.size() == released || reserve_ > 0));
    for (const int i : before) RC_ASSERT(loader(i)->loaded == 1);
    for (const int i : step.residents) {
      if (done) RC_ASSERT(loader(i)->loaded == 1);
      critical_[static_cast<std::size_t>(i)] = done && step.critical;
    }
  }

  void allocator_fails(const Step& step) {
    source_->failures = 1000;
    const int made = source_->calls;
    const Result<Granted> granted = memory_->try_claim(claim_of(step));
    if (source_->calls != made) RC_ASSERT(!granted.ok());  // every try was refused
    source_->failures = 0;
    for (const int i : step.residents) critical_[static_cast<std::size_t>(i)] = false;
  }

  void loader_fails(const Step& step) {
    for (const auto& each : loaders_)
      each->on_load = [](const LoadCall&) { return Status(Code::invalid_input, "the test says no"); };
    const bool missing =
        std::any_of(step.residents.begin(), step.residents.end(), [&](int i) { return loader(i)->loaded == 0; });
    const Result<Granted> granted = memory_->try_claim(claim_of(step));
    if (missing) RC_ASSERT(!granted.ok());
    for (const auto& each : loaders_) each->on_load = nullptr;
    for (const int i : step.residents) critical_[static_cast<std::size_t>(i)] = false;
  }

  std::vector<int> idle_before_;  // spared when the claim that may wait began
  bool waits_ = false;
};

}  // namespace

TEST_CASE("memory agrees with a simple model under random use", "[memory][model]") {
  std::size_t steps_run = 0;
  const bool held = rc::check("books balance, what is in use or spared stays, what is possible is granted", [&] {
    const auto steps =
        *rc::gen::scale(2.0, rc::gen::container<std::vector<Step>>(rc::gen::resize(rc::kNominalSize, any_step())));
    const auto tightest = *rc::gen::inRange<std::size_t>(0, 100);
    const auto reserve = *rc::gen::element<std::uint64_t>(0, 50, 200);
    std::uint64_t host = 300;
    if (!steps.empty())
      host = std::max(host, asked(steps[tightest % steps.size()]).host_most() + reserve + tightest % 3);
    RC_LOG() << "host: " << host << ", of it reserved: " << reserve << std::endl;
    Model model(host, reserve);
    for (const Step& step : steps) model.run(step);
    steps_run += steps.size();
  });
  CHECK(held);
  CHECK(steps_run > 1000);  // the property was really exercised
}
