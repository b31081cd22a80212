// Random claims, returns, evictions and resident loads against a model that keeps only what must be true: who holds
// what. After every step the books must balance, residents in use must be loaded, and nothing else may be held.
#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

constexpr std::uint64_t kHost = 1000;
constexpr std::uint64_t kDevice = 500;

struct ResidentFacts {
  std::uint64_t bytes;
  bool buffered;  // lives in a slab of the pool
  SpaceId home;
};
const std::vector<ResidentFacts> kResidents = {{60, false, SpaceId::host()},
                                               {130, true, SpaceId::host()},
                                               {200, false, SpaceId::host()},
                                               {270, false, SpaceId::device(0)}};

// One random step; each kind reads the numbers it needs.
struct Step {
  int kind = 0;
  std::vector<std::uint64_t> slabs;
  std::uint64_t host = 0;
  std::uint64_t device = 0;
  std::vector<int> residents;
  std::size_t which = 0;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  out << "{kind " << step.kind << ", slabs";
  for (std::uint64_t size : step.slabs) out << ' ' << size;
  out << ", host " << step.host << ", device " << step.device << ", residents";
  for (int i : step.residents) out << ' ' << i;
  return out << ", which " << step.which << "}";
}

rc::Gen<Step> any_step() {
  using rc::gen::container;
  using rc::gen::inRange;
  using rc::gen::set;
  const int last = static_cast<int>(kResidents.size());
  return rc::gen::build<Step>(
      set(&Step::kind, inRange(0, 10)),
      set(&Step::slabs, rc::gen::resize(4, container<std::vector<std::uint64_t>>(inRange<std::uint64_t>(0, 400)))),
      set(&Step::host, inRange<std::uint64_t>(0, 300)), set(&Step::device, inRange<std::uint64_t>(0, 300)),
      set(&Step::residents, rc::gen::resize(3, container<std::vector<int>>(inRange(0, last)))),
      set(&Step::which, inRange<std::size_t>(0, 1000)));
}

class Model {
 public:
  Model() {
    MemoryOptions options;
    options.evict_min_idle = Duration(0);
    memory_ = std::make_unique<Memory>(
        options,
        std::vector<SpaceSetup>{{SpaceId::host(), Bytes(kHost), {source_}}, {SpaceId::device(0), Bytes(kDevice), {}}},
        clock_, log_);
    for (std::size_t i = 0; i < kResidents.size(); ++i) loaders_.push_back(std::make_shared<FakeLoader>());
  }

  void run(const Step& step) {
    if (step.kind < 4) claim(step);
    if (step.kind == 4 || step.kind == 5) end_one(step);
    if (step.kind == 6) evict(step);
    if (step.kind == 7) evict_resident(step);
    if (step.kind == 8) allocator_refuses(step);
    if (step.kind == 9) loader_fails(step);
    check();
  }

 private:
  struct Held {
    Granted granted;
    std::uint64_t host = 0;
    std::uint64_t device = 0;
    std::vector<int> residents;
  };

  ResidentSpec spec(int i) const {
    const ResidentFacts& facts = kResidents[static_cast<std::size_t>(i)];
    ResidentSpec spec = resident("r" + std::to_string(i), facts.bytes, loader(i), facts.home, std::chrono::seconds(i));
    if (facts.buffered) {
      spec.buffer = SlabNeed{Bytes(facts.bytes), {}, {}, "buffer"};
      spec.bytes.clear();
    }
    return spec;
  }
  const std::shared_ptr<FakeLoader>& loader(int i) const { return loaders_[static_cast<std::size_t>(i)]; }

  int users(int resident) const {
    std::ptrdiff_t count = 0;
    for (const Held& held : held_) count += std::count(held.residents.begin(), held.residents.end(), resident);
    return static_cast<int>(count);
  }

  Claim claim_of(const Step& step) const {
    Claim claim;
    claim.owner = job("job");
    claim.owner.partition = 0;
    for (std::uint64_t size : step.slabs) claim.slabs.push_back({Bytes(size), {}, {}, "slab"});
    claim.bytes = {{SpaceId::host(), Bytes(step.host), "bytes"}, {SpaceId::device(0), Bytes(step.device), "arena"}};
    for (int i : step.residents) claim.residents.push_back(spec(i));
    return claim;
  }

  // What the claim asks for by the figures, each resident once.
  static std::pair<std::uint64_t, std::uint64_t> asked(const Step& step) {
    std::uint64_t host = step.host, device = step.device;
    for (std::uint64_t size : step.slabs) host += size;
    for (int i = 0; i < static_cast<int>(kResidents.size()); ++i) {
      if (std::find(step.residents.begin(), step.residents.end(), i) == step.residents.end()) continue;
      const ResidentFacts& facts = kResidents[static_cast<std::size_t>(i)];
      (facts.home == SpaceId::host() ? host : device) += facts.bytes;
    }
    return {host, device};
  }

  void claim(const Step& step) {
    const auto [host, device] = asked(step);
    const bool possible = host <= kHost && device <= kDevice;
    Result<Granted> granted = memory_->try_claim(claim_of(step));
    if (!granted) {
      RC_ASSERT(granted.status().code() == (possible ? Code::out_of_memory : Code::over_budget));
      // With nothing held, whatever fits the budget must be granted.
      RC_ASSERT(!held_.empty() || !possible);
      return;
    }
    RC_ASSERT(possible);
    RC_ASSERT(granted->slabs.size() == step.slabs.size());
    Held held{std::move(*granted), step.host, step.device, step.residents};
    for (std::size_t i = 0; i < step.slabs.size(); ++i) {
      RC_ASSERT(held.granted.slabs[i].bytes() == Bytes(step.slabs[i]));
      RC_ASSERT(held.granted.slabs[i].capacity() >= Bytes(step.slabs[i]));
      RC_ASSERT((held.granted.slabs[i].data() == nullptr) == (step.slabs[i] == 0));
      held.host += step.slabs[i];
    }
    held_.push_back(std::move(held));
  }

  void end_one(const Step& step) {
    if (held_.empty()) return;
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(step.which % held_.size()));
  }

  void evict(const Step& step) {
    const SpaceId space = step.which % 2 == 0 ? SpaceId::host() : SpaceId::device(0);
    const Bytes wanted(step.which);
    const Bytes before = memory_->used(space);
    const Bytes freed = memory_->evict(space, wanted);
    RC_ASSERT(memory_->used(space) + freed == before);  // really uncharged
    if (freed < wanted) RC_ASSERT(memory_->evict(space, Bytes(1)) == Bytes());
  }

  void evict_resident(const Step& step) {
    const int i = static_cast<int>(step.which % kResidents.size());
    const ResidentFacts& facts = kResidents[static_cast<std::size_t>(i)];
    const bool idle = loader(i)->loaded == 1 && users(i) == 0;
    const Result<Bytes> freed = memory_->evict(facts.home, "r" + std::to_string(i));
    RC_ASSERT(freed.ok() == idle);
    if (freed) RC_ASSERT(*freed >= Bytes(facts.bytes));
  }

  void allocator_refuses(const Step& step) {
    source_->failures = 1000;
    const int made = source_->calls;
    const Result<Granted> granted = memory_->try_claim(claim_of(step));
    if (source_->calls != made) RC_ASSERT(!granted.ok());  // every try was refused
    source_->failures = 0;
  }

  void loader_fails(const Step& step) {
    for (const auto& each : loaders_) {
      each->on_load = [](const LoadCall&) { return Status(Code::invalid_input, "the test says no"); };
    }
    const bool missing =
        std::any_of(step.residents.begin(), step.residents.end(), [&](int i) { return loader(i)->loaded == 0; });
    const Result<Granted> granted = memory_->try_claim(claim_of(step));
    if (missing) RC_ASSERT(!granted.ok());
    for (const auto& each : loaders_) each->on_load = nullptr;
  }

  void check() const {
    const std::vector<SpaceStatus> status = memory_->snapshot();
    for (const SpaceStatus& space : status) {
      RC_ASSERT(space.used <= space.budget);
      RC_ASSERT(space.high_water <= space.budget);
      RC_ASSERT(accounted(space) == space.used);
      RC_ASSERT(space.waiting.empty());
    }
    std::uint64_t host = 0, device = 0;
    for (const Held& held : held_) {
      host += held.host;
      device += held.device;
    }
    RC_ASSERT(requested(status[0]) == host);
    RC_ASSERT(requested(status[1]) == device);
    check_residents(status);
    // The pool's slabs are exactly what the allocator has given out.
    Bytes slabs;
    for (const HoldingStatus& holding : status[0].holdings) {
      if (!holding.kind.empty()) slabs += holding.reserved;
    }
    for (const ResidentStatus& resident : status[0].residents) {
      if (resident.id == "r1") slabs += resident.bytes;
    }
    RC_ASSERT(slabs == source_->live());
  }

  static std::uint64_t requested(const SpaceStatus& space) {
    std::uint64_t sum = 0;
    for (const HoldingStatus& holding : space.holdings) sum += holding.requested.count();
    return sum;
  }

  void check_residents(const std::vector<SpaceStatus>& status) const {
    std::size_t loaded = 0;
    for (int i = 0; i < static_cast<int>(kResidents.size()); ++i) {
      const int times = loader(i)->loaded;
      RC_ASSERT(times == 0 || times == 1);
      if (users(i) > 0) RC_ASSERT(times == 1);
      loaded += static_cast<std::size_t>(times);
      for (const SpaceStatus& space : status) {
        for (const ResidentStatus& resident : space.residents) {
          if (resident.id == "r" + std::to_string(i)) RC_ASSERT(resident.users == static_cast<unsigned>(users(i)));
        }
      }
    }
    RC_ASSERT(status[0].residents.size() + status[1].residents.size() == loaded);
  }

  ManualClock clock_;
  MemoryLog log_;
  std::shared_ptr<FakeSource> source_ = std::make_shared<FakeSource>();
  std::vector<std::shared_ptr<FakeLoader>> loaders_;
  std::unique_ptr<Memory> memory_;
  std::vector<Held> held_;
};

}  // namespace

TEST_CASE("memory agrees with a simple model under random use", "[memory][model]") {
  std::size_t granted_steps = 0;
  const bool held = rc::check("books balance, residents in use stay, evicted bytes are real", [&] {
    const auto steps =
        *rc::gen::scale(2.0, rc::gen::container<std::vector<Step>>(rc::gen::resize(rc::kNominalSize, any_step())));
    Model model;
    for (const Step& step : steps) model.run(step);
    granted_steps += steps.size();
  });
  CHECK(held);
  CHECK(granted_steps > 1000);  // the property was really exercised
}
