// Many threads under a budget that just holds the largest claim, while everything goes wrong that can: loads and
// allocators fail, claims are cancelled, a device is lost and keeps its slabs; on three devices, with memory of two
// kinds and not enough of one. Nobody may wait for ever (a hang), and nothing may be lost or charged twice. For
// ThreadSanitizer and AddressSanitizer.
#include <catch2/catch.hpp>
#include <random>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

constexpr int kThreads = 16;
constexpr int kOperations = 400;
constexpr std::uint64_t kReserve = 80;
constexpr std::uint64_t kLargest = 2 * 109 + 199 + 40 + 150 + 20;  // as below, of the host
constexpr std::uint64_t kPinned = 2 * 109 + 40 + 10;
constexpr std::uint64_t kDevice = 420;
constexpr int kCritical = 3;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(engine_); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

// One of eight loads fails, by itself or because nobody waits for it any more.
class UnreliableLoader final : public ResidentLoader {
 public:
  Result<void*> load(const LoadCall& call) override {
    const unsigned number = ++loads_;
    std::this_thread::yield();
    if (call.stop.stop_requested()) return Status(Code::cancelled, "stopped");
    if (number % 8 == 0) return Status(Code::invalid_input, "the test says no");
    ++loaded;
    return static_cast<void*>(this);
  }
  void unload(void*) noexcept override { --loaded; }
  std::atomic<int> loaded{0};

 private:
  std::atomic<unsigned> loads_{0};
};

struct Tight {
  Claim random_claim(Random& random, int thread) const {
    Claim claim;
    claim.owner = {"job " + std::to_string(thread), std::uint32_t{0}, ""};
    claim.priority = static_cast<int>(random.below(kCritical + 1));
    const SpaceId device = SpaceId::device(static_cast<std::uint32_t>(random.below(3)));
    for (std::uint64_t i = random.below(3); i > 0; --i)
      claim.slabs.push_back({Bytes(10 + random.below(100)), SlabKinds{static_cast<std::uint32_t>(1 + random.below(3))},
                             near_device(lost ? 2 : static_cast<std::uint8_t>(random.below(3))), "slab"});
    if (random.one_in(3)) claim.bytes.push_back({SpaceId::host(), Bytes(random.below(200)), "bytes"});
    if (random.one_in(4)) claim.bytes.push_back({device, Bytes(random.below(300)), "arena"});
    if (random.one_in(2)) {
      ResidentSpec keys = slab_resident("keys", 40, loader);
      claim.residents.push_back(keys);
    }
    if (random.one_in(3)) {
      claim.residents.push_back(resident("shape", 150, loader));
      claim.residents.back().load_bytes.push_back({SpaceId::host(), Bytes(20), "loading"});
    }
    if (random.one_in(3)) claim.residents.push_back(resident("decoded", 100, loader, device));
    return claim;
  }

  std::atomic<bool> lost{false};  // device 1: nothing is made for it any more
  SteadyClock clock;
  MemoryLog log;
  std::shared_ptr<FakeSource> source = std::make_shared<FakeSource>("alloc-pinned", SlabKind::pinned);
  std::shared_ptr<FakeSource> heap = std::make_shared<FakeSource>();
  std::shared_ptr<UnreliableLoader> loader = std::make_shared<UnreliableLoader>();
  Memory memory{{.evict_min_idle = std::chrono::milliseconds(2),
                 .max_overtakes = 8,
                 .pinned_max = Bytes(kPinned),
                 .critical_priority = kCritical},
                {{SpaceId::host(), Bytes(kLargest + kReserve), {source, heap}, Bytes(kReserve)},
                 {SpaceId::device(0), Bytes(kDevice), {}},
                 {SpaceId::device(1), Bytes(kDevice), {}},
                 {SpaceId::device(2), Bytes(kDevice), {}}},
                clock,
                log};
};

// What may become of a claim here.
bool expected(const Result<Granted>& granted, bool may_be_cancelled) {
  const Code code = granted ? Code::ok : granted.status().code();
  return code == Code::ok || code == Code::invalid_input || (code == Code::cancelled && may_be_cancelled) ||
         code == Code::over_budget;  // of a lost device
}

// Each keeps one thing at most while it asks without waiting, and nothing while it waits.
void work(Tight& tight, int thread, std::atomic<std::uint64_t>& granted, std::atomic<std::uint64_t>& unexpected) {
  Random random(static_cast<unsigned>(thread));
  for (int i = 0; i < kOperations; ++i) {
    const Claim claim = tight.random_claim(random, thread);
    switch (random.below(12)) {
      case 0: {
        Result<Granted> first = tight.memory.claim(claim);
        if (first) (void)tight.memory.try_claim(tight.random_claim(random, thread));
        break;
      }
      case 1:
        tight.memory.evict(random.one_in(2) ? SpaceId::host() : SpaceId::device(1), Bytes(random.below(300)));
        break;
      case 2:
        (void)tight.memory.evict(SpaceId::host(), random.one_in(2) ? "keys" : "shape");
        break;
      case 3: {  // loads ahead, as at the start
        Claim ahead = claim;
        ahead.slabs.clear();
        ahead.bytes.clear();
        ahead.drops = false;
        (void)tight.memory.try_claim(ahead);
        break;
      }
      case 4:
      case 5: {
        std::stop_source stop;
        const std::jthread other([&] { stop.request_stop(); });
        const Result<Granted> now = tight.memory.claim(claim, stop.get_token());
        if (!expected(now, true)) ++unexpected;
        break;
      }
      default: {
        const Result<Granted> now = tight.memory.claim(claim);
        if (!expected(now, false)) ++unexpected;
        if (now) ++granted;
      }
    }
    if (thread == 0 && i == kOperations / 2) {
      tight.lost = true;
      tight.source->lose(1);
      tight.heap->lose(1);
      tight.memory.retire(near_device(1));
    }
  }
}

}  // namespace

TEST_CASE("under a tight budget, with failures, cancellation and a lost device, everybody gets on",
          "[memory][stress]") {
  Tight tight;
  std::atomic<std::uint64_t> granted{0}, unexpected{0};
  {
    std::atomic<bool> done{false};
    const std::jthread reader([&] {
      while (!done) {
        for (const SpaceStatus& space : tight.memory.snapshot())
          if (space.used > space.budget || accounted(space) != space.used) ++unexpected;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&tight, &granted, &unexpected, t] { work(tight, t, granted, unexpected); });
    threads.clear();
    done = true;
  }
  CHECK(unexpected == 0);
  CHECK(granted > std::uint64_t{kThreads} * kOperations / 4);
  for (const HoldingStatus& holding : tight.memory.holdings()) CHECK(holding.owner.job.empty());  // the reserve
  (void)tight.memory.close();
  const std::vector<SpaceStatus> status = tight.memory.snapshot();
  const Bytes kept = tight.source->kept() + tight.heap->kept();
  CHECK(status[0].used.count() == std::min(kept.count() + kReserve, kLargest + kReserve));
  CHECK(status[0].stuck == kept);
  CHECK(status[0].pinned.used == tight.source->kept());
  for (std::size_t device = 1; device < status.size(); ++device) CHECK(status[device].used == Bytes());
  CHECK(tight.source->live() + tight.heap->live() == kept);
  CHECK(tight.loader->loaded == 0);
}
