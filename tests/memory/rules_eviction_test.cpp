// The rules of the memory design from 5 on: eviction, fallback, leases, residents.
#include <catch2/catch.hpp>
#include <latch>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

TEST_CASE("rule 5: unwanted slabs, then idle residents by cost, then wanted slabs", "[memory][rule]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("a", {10, 30}));
  auto dear = std::make_shared<FakeLoader>();
  auto cheap = std::make_shared<FakeLoader>();
  (void)*bench.memory.claim(use("a", resident("dear", 20, dear, {}, std::chrono::seconds(60))));
  (void)*bench.memory.claim(use("a", resident("cheap", 20, cheap, {}, std::chrono::seconds(5))));
  bench.clock.advance(std::chrono::minutes(6));
  const Granted running = *bench.memory.claim(bytes("b", 20));
  // Takes the slab of 30 for its own; 31 bytes more come from the slab of 10, the cheap resident and the dear one.
  Claim claim = slabs("c", {30});
  claim.bytes.push_back({SpaceId::host(), Bytes(30), "test"});
  const Granted granted = *bench.memory.claim(claim);
  CHECK(bench.source->released == std::vector{Bytes(10)});
  CHECK(cheap->unloads == 1);
  CHECK(dear->unloads == 0);
  CHECK(bench.source->calls == 2);
}

TEST_CASE("rule 5: while others work a resident used lately is spared until evict_min_idle has passed",
          "[memory][rule]") {
  Bench bench;
  const Granted at_work = *bench.memory.claim(slabs("c", {5}));
  (void)*bench.memory.claim(use("a", resident("keys", 60, bench.loader)));
  bench.clock.advance(std::chrono::minutes(4));
  Claimant waits(bench.memory, bytes("b", 50));
  REQUIRE(waiting(bench.memory, 1));
  CHECK(bench.loader->unloads == 0);
  bench.clock.advance(std::chrono::minutes(1));  // nobody releases anything: time alone must wake it
  CHECK(waits.result().ok());
  CHECK(bench.loader->unloads == 1);
}

TEST_CASE("rule 5: when nobody works what was spared goes at once", "[memory][rule]") {
  Bench bench;
  (void)*bench.memory.claim(use("a", resident("keys", 60, bench.loader)));
  CHECK(bench.memory.claim(bytes("b", 50)).ok());  // the clock stands still
  CHECK(bench.loader->unloads == 1);
  bench.clock.advance(std::chrono::seconds(1));
  Granted at_work = *bench.memory.claim(use("a", resident("keys", 60, bench.loader)));
  Claimant waits(bench.memory, bytes("b", 50));
  REQUIRE(waiting(bench.memory, 1));
  at_work = {};  // the last at work: nothing else will come back
  CHECK(waits.result().ok());
  CHECK(bench.loader->unloads == 2);
}

TEST_CASE("rule 5: nothing is dropped unless it suffices", "[memory][rule]") {
  Bench bench;
  const Granted running = *bench.memory.claim(bytes("a", 50));
  (void)*bench.memory.claim(slabs("b", {30}));
  CHECK_FALSE(bench.memory.try_claim(bytes("c", 60)).ok());
  CHECK(bench.source->released.empty());
}

TEST_CASE("rule 6: what is released is what was charged", "[memory][rule]") {
  Bench bench;
  ResidentSpec spec = resident("keys", 30, bench.loader);
  (void)*bench.memory.claim(use("a", spec));
  spec.bytes[0].bytes = Bytes(1);  // the file has changed since
  (void)*bench.memory.claim(use("b", spec));
  CHECK(bench.used() == Bytes(30));
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(1)) == Bytes(30));
  CHECK(bench.used() == Bytes());
}

TEST_CASE("rule 7: no silent fallback", "[memory][rule]") {
  ManualClock clock;
  MemoryLog log;
  auto pinned = std::make_shared<FakeSource>("alloc-a", SlabKind::pinned);
  auto heap = std::make_shared<FakeSource>("alloc-b", SlabKind::pageable);
  {
    Memory strict({}, {{SpaceId::host(), Bytes(100), {pinned}}}, clock, log);
    pinned->failures = 1;
    CHECK(strict.claim(slabs("7", {10})).status().code() == Code::out_of_memory);
  }
  Memory memory({}, {{SpaceId::host(), Bytes(100), {pinned, heap}}}, clock, log);
  pinned->failures = 2;
  const Granted one = *memory.claim(slabs("7", {10}));
  const Granted two = *memory.claim(slabs("7", {10}));
  CHECK(one.slabs[0].kind() == SlabKind::pageable);
  CHECK(memory.snapshot()[0].fallback_uses == 2);
  CHECK(memory.snapshot()[0].holdings[0].kind == "pageable");
  REQUIRE(log.count(LogLevel::warn) == 1);  // once, loud
  CHECK_THAT(log.lines().back().text, Catch::Contains("alloc-b") && Catch::Contains("alloc-a"));
}

TEST_CASE("rule 8: leases are scoped, on every way out", "[memory][rule]") {
  Bench bench;
  try {
    const Granted granted = *bench.memory.claim(slabs("7", {40}));
    throw std::runtime_error("a stage failed");
  } catch (const std::runtime_error&) {
  }
  CHECK(bench.memory.holdings("7").empty());
  CHECK(bench.status().idle == Bytes(40));
}

TEST_CASE("rule 9: a resident in use cannot be evicted", "[memory][rule]") {
  Bench bench;
  Granted first = *bench.memory.claim(use("a", resident("keys", 30, bench.loader)));
  Granted second = *bench.memory.claim(use("b", resident("keys", 30, bench.loader)));
  const Status refused = bench.memory.evict(SpaceId::host(), "keys").status();
  CHECK(refused.code() == Code::unsupported);
  CHECK_THAT(refused.message(), Catch::Contains("2 claim(s)"));
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(100)) == Bytes());
  first = {};
  CHECK_FALSE(bench.memory.evict(SpaceId::host(), "keys").ok());
  second = {};
  CHECK(*bench.memory.evict(SpaceId::host(), "keys") == Bytes(30));
  CHECK(bench.memory.evict(SpaceId::host(), "keys").status().code() == Code::invalid_input);
}

TEST_CASE("rule 9: two jobs that need the same resident load it once", "[memory][rule]") {
  Bench bench;
  std::latch both_asked(1);
  bench.loader->on_load = [&](const LoadCall&) {
    both_asked.wait();
    return Status();
  };
  Claimant a(bench.memory, use("a", resident("keys", 60, bench.loader)));
  REQUIRE(soon([&] { return bench.loader->loads == 1; }));
  Claimant b(bench.memory, use("b", resident("keys", 60, bench.loader)));
  REQUIRE(soon([&] { return !bench.status().residents.empty() && bench.status().residents[0].users == 2; }));
  both_asked.count_down();
  CHECK(a.result().ok());
  CHECK(b.result().ok());
  CHECK(bench.loader->loads == 1);
  CHECK(bench.used() == Bytes(60));
  CHECK(bench.status().resident_loads == 1);
  CHECK(bench.status().resident_hits == 1);
}

TEST_CASE("rule 11: a resident's file is read into a charged slab", "[memory][rule]") {
  Bench bench;
  ResidentSpec spec = slab_resident("keys", 40, bench.loader);
  bench.loader->on_load = [&](const LoadCall& call) {
    CHECK(call.buffer != nullptr);
    CHECK(call.buffer->data() != nullptr);
    CHECK(call.buffer->bytes() == Bytes(40));
    CHECK(bench.used() == Bytes(40));
    return Status();
  };
  (void)*bench.memory.claim(use("a", spec));
  CHECK(bench.status().residents.at(0).bytes == Bytes(40));
  CHECK(accounted(bench.status()) == bench.used());
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(1)) == Bytes(40));
  CHECK(bench.source->live() == Bytes());  // really back with the OS, not an idle slab
}

TEST_CASE("rule 5: who cannot wait spares nothing", "[memory][rule]") {
  Bench bench;
  const Granted at_work = *bench.memory.claim(slabs("a", {30}));
  (void)*bench.memory.claim(use("a", resident("keys", 60, bench.loader)));
  CHECK(bench.memory.try_claim(bytes("a", 20)).ok());  // its own scratch space: the alternative is to fail
  CHECK(bench.loader->unloads == 1);
}
