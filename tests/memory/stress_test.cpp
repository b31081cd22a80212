// Many threads on one Memory, all ways in and out at once. For ThreadSanitizer, and for the wake-ups: a lost one hangs.
#include <catch2/catch.hpp>
#include <random>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

constexpr int kThreads = 64;
constexpr int kOperations = 5'000;
constexpr std::uint64_t kBudget = 4'000;

struct Stress {
  Stress() {
    MemoryOptions options;
    options.evict_min_idle = Duration(0);
    options.max_overtakes = 8;
    memory = std::make_unique<Memory>(
        options,
        std::vector<SpaceSetup>{{SpaceId::host(), Bytes(kBudget), {source}}, {SpaceId::device(0), Bytes(500), {}}},
        clock, log);
  }

  Claim random_claim(std::mt19937& random, int thread) const {
    const auto below = [&](std::uint64_t n) { return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(random); };
    Claim claim;
    claim.owner = {"job " + std::to_string(thread), std::uint32_t{0}, ""};
    claim.priority = static_cast<int>(below(4));
    for (std::uint64_t i = below(3); i > 0; --i) claim.slabs.push_back({Bytes(10 + below(100)), {}, {}, "slab"});
    if (below(4) == 0) claim.bytes.push_back({SpaceId::host(), Bytes(below(200)), "bytes"});
    if (below(8) == 0) claim.bytes.push_back({SpaceId::device(0), Bytes(below(300)), "arena"});
    if (below(8) == 0) {
      const std::uint64_t i = below(3);
      claim.residents.push_back(
          resident("r" + std::to_string(i), 100 + 50 * i, loader, i == 2 ? SpaceId::device(0) : SpaceId::host()));
    }
    return claim;
  }

  SteadyClock clock;
  MemoryLog log;
  std::shared_ptr<FakeSource> source = std::make_shared<FakeSource>();
  std::shared_ptr<FakeLoader> loader = std::make_shared<FakeLoader>();
  std::unique_ptr<Memory> memory;
};

void work(Stress& stress, int thread, std::atomic<std::uint64_t>& granted) {
  std::mt19937 random(static_cast<unsigned>(thread));
  std::vector<Granted> kept;
  for (int i = 0; i < kOperations; ++i) {
    switch (random() % 8) {
      case 0: {  // asked for at once, kept for a while: never waits, so it cannot deadlock with what is kept
        Result<Granted> now = stress.memory->try_claim(stress.random_claim(random, thread));
        if (now) kept.push_back(std::move(*now));
        if (kept.size() > 2) kept.erase(kept.begin());
        break;
      }
      case 1:
        stress.memory->evict(random() % 2 == 0 ? SpaceId::host() : SpaceId::device(0), Bytes(random() % 500));
        break;
      case 2:
        if (stress.memory->used(SpaceId::host()) > Bytes(kBudget)) std::terminate();
        break;
      case 3: {  // cancelled before, or while, it waits
        kept.clear();
        std::stop_source stop;
        std::optional<std::jthread> other;
        if (i % 8 == 0) {
          other.emplace([&] { stop.request_stop(); });
        } else if (i % 8 == 1) {
          stop.request_stop();
        }
        if (stress.memory->claim(stress.random_claim(random, thread), stop.get_token())) ++granted;
        break;
      }
      default:
        kept.clear();
        if (stress.memory->claim(stress.random_claim(random, thread))) ++granted;
    }
  }
}

}  // namespace

TEST_CASE("64 threads of random claims leave the books balanced", "[memory][stress]") {
  Stress stress;
  std::atomic<std::uint64_t> granted{0};
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      for (const SpaceStatus& space : stress.memory->snapshot()) {
        if (space.used > space.budget || accounted(space) != space.used) std::terminate();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&, t] { work(stress, t, granted); });
  for (std::thread& thread : threads) thread.join();
  done = true;
  reader.join();
  CHECK(granted > std::uint64_t{kThreads} * kOperations / 4);
  CHECK(stress.memory->holdings().empty());
  CHECK(stress.memory->snapshot()[0].high_water <= Bytes(kBudget));
  stress.memory->close();
  for (const SpaceStatus& space : stress.memory->snapshot()) CHECK(space.used == Bytes());
  CHECK(stress.source->live() == Bytes());
  CHECK(stress.loader->loads == stress.loader->unloads);
}
