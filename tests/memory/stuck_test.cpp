// Slabs that their allocator cannot give back, because a driver keeps the pages: charged until the process ends, shown
// with the device, lent again, and never taken for what can be evicted.
#include <catch2/catch.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;
using Catch::Contains;

namespace {

// One idle slab that the OS does not get back.
void make_stuck(Bench& bench, std::uint64_t size) {
  (void)*bench.memory.claim(slabs("7", {size}));
  bench.source->keeps = true;
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(1)) == Bytes());  // nothing was uncharged, and that is what it says
  bench.source->keeps = false;
}

}  // namespace

TEST_CASE("a slab that does not come back stays charged, and is shown with who keeps it", "[memory][stuck]") {
  Bench bench;
  make_stuck(bench, 40);
  CHECK(bench.used() == Bytes(40));
  const SpaceStatus status = bench.status();
  CHECK(status.stuck == Bytes(40));
  CHECK(status.slabs_released == 0);
  REQUIRE(status.slabs.size() == 1);
  CHECK_THAT(status.slabs[0].stuck, Contains("device 3"));
  CHECK(stuck_by_reason(status) == std::map<std::string, Bytes>{{status.slabs[0].stuck, Bytes(40)}});
  REQUIRE(status.holdings.size() == 1);
  CHECK(status.holdings[0].state == "stuck");
  CHECK(status.holdings[0].reserved == Bytes(40));
  CHECK(bench.log.count(LogLevel::error) == 1);
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(1)) == Bytes());  // it is no victim any more
  CHECK(bench.memory.close().empty());
  CHECK(bench.used() == Bytes(40));
  CHECK(bench.source->live() == Bytes(40));
}

TEST_CASE("a stuck slab is lent again and comes back to the pool, also when it is discarded", "[memory][stuck]") {
  Bench bench;
  make_stuck(bench, 80);
  Granted granted = *bench.memory.claim(slabs("8", {70}));
  CHECK(granted.slabs[0].capacity() == Bytes(80));
  CHECK(bench.source->calls == 1);
  CHECK(bench.status().stuck == Bytes(80));
  granted.slabs[0].discard();
  CHECK(bench.used() == Bytes(80));
  CHECK(bench.source->released.empty());
  CHECK(bench.memory.claim(slabs("9", {80})).ok());
}

TEST_CASE("what stuck slabs leave no room for is refused at once, and what they can serve is not", "[memory][stuck]") {
  Bench bench;
  make_stuck(bench, 60);
  CHECK(bench.memory.claim(bytes("8", 40)).ok());
  const Status refused = bench.memory.claim(bytes("8", 41)).status();
  CHECK(refused.code() == Code::over_budget);
  CHECK_THAT(refused.message(),
             Contains("41 bytes") && Contains("100 bytes") && Contains("60 bytes") && Contains("cannot be given back"));
  Claim served = slabs("8", {20});
  served.bytes.push_back({SpaceId::host(), Bytes(40), "test"});
  CHECK(bench.memory.claim(served).ok());  // 20 of the 60 that are stuck
  ResidentSpec keys = slab_resident("keys", 60, bench.loader);
  CHECK(bench.memory.claim(use("8", keys)).ok());
  CHECK(bench.used() == Bytes(60));
}

TEST_CASE("a claim that waits is refused when its memory will never come back", "[memory][stuck]") {
  Bench bench;
  Granted running = *bench.memory.claim(slabs("7", {60}));
  Claimant waits(bench.memory, bytes("8", 50));
  REQUIRE(waiting(bench.memory, 1));
  bench.source->keeps = true;
  running = {};
  CHECK(waits.result().status().code() == Code::over_budget);
  CHECK(bench.status().stuck == Bytes(60));
}

TEST_CASE("a resident that was lent a stuck slab can be evicted; the slab stays", "[memory][stuck]") {
  Bench bench;
  ResidentSpec keys = resident("keys", 10, bench.loader);
  keys.buffer = SlabNeed{Bytes(30), {}, {}, "keys"};
  (void)*bench.memory.claim(use("7", keys));
  bench.source->keeps = true;
  const auto evicted = bench.memory.evict(SpaceId::host(), "keys");
  REQUIRE(evicted.ok());
  CHECK(*evicted == Bytes(10));
  CHECK(bench.loader->unloads == 1);
  CHECK(bench.used() == Bytes(30));
  CHECK(bench.status().stuck == Bytes(30));
}

TEST_CASE("a device that is used no more gives back the idle slabs made for it, and no others", "[memory][stuck]") {
  Bench bench;
  Placement here, there;
  here.device_uuid.emplace().fill(1);
  there.device_uuid.emplace().fill(2);
  Claim claim = slabs("7", {10, 20, 30, 15});
  claim.slabs[0].placement = claim.slabs[1].placement = here;
  claim.slabs[2].placement = there;
  Granted granted = *bench.memory.claim(claim);
  Lease kept = std::move(granted.slabs[0]);
  granted = {};
  CHECK(bench.memory.retire({}) == Bytes());  // no device
  CHECK(bench.memory.retire(here) == Bytes(20));
  CHECK(bench.source->released == std::vector{Bytes(20)});
  kept.reset();
  bench.source->keeps = true;
  CHECK(bench.memory.retire(here) == Bytes());
  CHECK(bench.status().stuck == Bytes(10));
  CHECK(bench.used() == Bytes(55));
}

TEST_CASE("page-locked slabs that are stuck are counted as page-locked too", "[memory][stuck]") {
  ManualClock clock;
  MemoryLog log;
  const auto source = std::make_shared<FakeSource>("alloc-a", SlabKind::pinned);
  MemoryOptions options;
  options.pinned_max = Bytes(50);
  Memory memory(options, {{SpaceId::host(), Bytes(100), {source}}}, clock, log);
  (void)*memory.claim(slabs("7", {40}));
  source->keeps = true;
  memory.evict(SpaceId::host(), Bytes(100));
  CHECK(memory.snapshot()[0].pinned.used == Bytes(40));
  const Status refused = memory.claim(slabs("8", {45})).status();
  CHECK(refused.code() == Code::over_budget);
  CHECK_THAT(refused.message(), Contains("page-locked memory") && Contains("cannot be given back"));
}

TEST_CASE("allocators that were swapped leave their stuck slabs on the books", "[memory][stuck]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("7", {60}));
  bench.source->keeps = true;
  const auto other = std::make_shared<FakeSource>("alloc-other");
  CHECK(bench.memory.use({other}) == Bytes());
  CHECK(bench.used() == Bytes(60));
  CHECK(bench.memory.claim(slabs("8", {40})).ok());
  CHECK(bench.memory.claim(slabs("8", {41})).status().code() == Code::over_budget);  // the old slab is not lent
}

TEST_CASE("a stuck slab serves a claim that has room only so, although a smaller idle one would do",
          "[memory][stuck]") {
  Bench bench;
  make_stuck(bench, 60);
  (void)*bench.memory.claim(slabs("7", {30}));
  REQUIRE(bench.used() == Bytes(90));
  Claim claim = slabs("8", {25});
  claim.bytes.push_back({SpaceId::host(), Bytes(40), "test"});
  const auto granted = at_once(bench.memory, claim);
  REQUIRE(granted.ok());
  CHECK(granted->slabs[0].capacity() == Bytes(60));
  CHECK(bench.source->released == std::vector{Bytes(30)});
}

TEST_CASE("stuck slabs serve the larger needs, in whatever order they are named", "[memory][stuck]") {
  for (const bool small_first : {true, false}) {
    Bench bench;
    make_stuck(bench, 60);
    Claim claim = small_first ? slabs("8", {10, 60}) : slabs("8", {60, 10});
    claim.bytes.push_back({SpaceId::host(), Bytes(30), "test"});
    CHECK(at_once(bench.memory, claim).ok());
  }
}

TEST_CASE("a stuck slab is taken from an idle resident when nothing else would serve", "[memory][stuck]") {
  Bench bench;
  make_stuck(bench, 60);
  ResidentSpec keys = slab_resident("keys", 50, bench.loader);
  Granted user = *bench.memory.claim(use("7", keys));
  Claim claim = slabs("8", {55});
  claim.bytes.push_back({SpaceId::host(), Bytes(40), "test"});
  Claimant waits(bench.memory, claim);
  REQUIRE(waiting(bench.memory, 1));
  CHECK(bench.loader->unloads == 0);
  user = {};
  REQUIRE(soon([&] { return waits.done(); }));
  REQUIRE(waits.result().ok());
  CHECK(waits.result()->slabs[0].capacity() == Bytes(60));
  CHECK(bench.loader->unloads == 1);
  CHECK(bench.used() == Bytes(100));
}

TEST_CASE("dropping an idle resident gives back its bytes and not the stuck slab that it has", "[memory][stuck]") {
  Bench bench;
  make_stuck(bench, 60);
  ResidentSpec keys = resident("keys", 10, bench.loader);
  keys.buffer = SlabNeed{Bytes(50), {}, {}, "keys"};
  (void)*bench.memory.claim(use("7", keys));
  const Granted at_work = *bench.memory.claim(slabs("8", {25}));
  REQUIRE(bench.used() == Bytes(95));
  CHECK_FALSE(bench.memory.try_claim(bytes("8", 20)).ok());
  CHECK(bench.loader->unloads == 0);  // it would not suffice
  CHECK(bench.memory.try_claim(bytes("8", 15)).ok());
  CHECK(bench.loader->unloads == 1);
}

TEST_CASE("closing unloads also what gives back no bytes", "[memory][stuck]") {
  Bench bench;
  make_stuck(bench, 60);
  ResidentSpec keys = slab_resident("keys", 50, bench.loader);
  (void)*bench.memory.claim(use("7", keys));
  (void)*bench.memory.claim(use("7", resident("nothing", 0, bench.loader)));
  bench.memory.close();
  CHECK(bench.loader->unloads == 2);
}

TEST_CASE("what a claim costs counts what is stuck beside it, but not what serves it", "[memory][stuck]") {
  Bench bench;
  make_stuck(bench, 60);
  CHECK(*bench.memory.cost(bytes("8", 30), SpaceId::host()) == Bytes(90));
  CHECK(*bench.memory.cost(slabs("8", {60}), SpaceId::host()) == Bytes(60));
  CHECK(bench.memory.cost(bytes("8", 41), SpaceId::host()).status().code() == Code::over_budget);
}
