// The rules of the memory design that concern this library, each by its number. Rule 2's other half (where the budget
// comes from) is in tests/config.
#include <catch2/catch.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

TEST_CASE("rule 1: a byte is charged from before it exists until it is back with the OS", "[memory][rule]") {
  Bench bench;
  bench.source->on_allocate = [&] { CHECK(bench.used() == Bytes(40)); };
  bench.source->on_release = [&] { CHECK(bench.used() == Bytes(40)); };
  bench.loader->on_load = [&](const LoadCall&) {
    CHECK(bench.used() == Bytes(35));
    return Status();
  };
  bench.loader->on_unload = [&] { CHECK(bench.used() == Bytes(30)); };
  Granted granted = *bench.memory.claim(slabs("7", {40}));
  granted.slabs[0].reset();
  CHECK(bench.used() == Bytes(40));  // idle, and charged
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(1)) == Bytes(40));
  CHECK(bench.used() == Bytes());
  ResidentSpec spec = resident("keys", 30, bench.loader);
  spec.load_bytes.push_back({SpaceId::host(), Bytes(5), "while loading"});
  granted = *bench.memory.claim(use("7", spec));
  CHECK(bench.used() == Bytes(30));  // what only the load needed is back
  granted = {};
  bench.memory.evict(SpaceId::host(), Bytes(1));
  CHECK(bench.used() == Bytes());
}

TEST_CASE("rule 1: used never exceeds the budget, for a reader at any instant", "[memory][rule]") {
  Bench bench;
  std::atomic<bool> done{false}, exceeded{false};  // Catch2's assertions are not for several threads at once
  std::thread reader([&] {
    while (!done)
      if (bench.used() > Bytes(100)) exceeded = true;
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        (void)bench.memory.claim(slabs(std::to_string(t), {static_cast<std::uint64_t>(1 + (i * 7 + t * 31) % 60)}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  done = true;
  reader.join();
  CHECK_FALSE(exceeded);
  CHECK(bench.status().high_water <= Bytes(100));
}

TEST_CASE("rule 2: a claim larger than the budget fails at once, with both numbers", "[memory][rule]") {
  Bench bench;
  const Granted running = *bench.memory.claim(bytes("1", 100));  // waiting would be for ever
  const Status status = bench.memory.claim(bytes("2", 101)).status();
  CHECK(status.code() == Code::over_budget);
  CHECK_THAT(status.message(),
             Catch::Contains("101 bytes") && Catch::Contains("100 bytes") && Catch::Contains("job 2"));
}

TEST_CASE("rule 3: claims are granted by priority, then age", "[memory][rule]") {
  Bench bench;
  Granted running = *bench.memory.claim(bytes("0", 100));
  std::vector<std::unique_ptr<Claimant>> claimants;
  for (const auto& [name, priority] : {std::pair("low", 1), {"first", 2}, {"second", 2}, {"urgent", 4}}) {
    claimants.push_back(std::make_unique<Claimant>(bench.memory, bytes(name, 100, priority)));
    REQUIRE(waiting(bench.memory, claimants.size()));
  }
  running = {};
  for (int next : {3, 1, 2, 0}) {
    REQUIRE(soon([&] { return claimants[static_cast<std::size_t>(next)]->done(); }));
    CHECK(bench.status().waiting.size() == static_cast<std::size_t>(next == 3 ? 3 : next == 1 ? 2 : next == 2 ? 1 : 0));
    claimants[static_cast<std::size_t>(next)]->result() = Status(Code::cancelled, "ended");
  }
}

TEST_CASE("rule 3: a small claim never starves a large one", "[memory][rule]") {
  Bench bench;
  Granted running = *bench.memory.claim(bytes("0", 20));
  Claimant large(bench.memory, bytes("large", 90));
  REQUIRE(waiting(bench.memory, 1));
  Claimant small(bench.memory, bytes("small", 10));  // would fit now
  REQUIRE(waiting(bench.memory, 2));
  CHECK_FALSE(small.done());
  running = {};
  CHECK(large.result().ok());
  CHECK(small.result().ok());  // and both fit together
}

TEST_CASE("rule 3: a low claim is overtaken a bounded number of times", "[memory][rule]") {
  MemoryOptions options;
  options.max_overtakes = 3;
  Bench bench(Bytes(100), options);
  Granted running = *bench.memory.claim(bytes("0", 100));
  Claimant low(bench.memory, bytes("low", 100, 1));
  REQUIRE(waiting(bench.memory, 1));
  int overtaken = 0;
  while (!low.done()) {
    Claimant high(bench.memory, bytes("high " + std::to_string(overtaken), 100, 4));
    REQUIRE(waiting(bench.memory, 2));
    running = {};
    REQUIRE(soon([&] { return low.done() || high.done(); }));
    if (high.done()) {
      ++overtaken;
    } else {
      low.result() = Status(Code::cancelled, "ended");
    }
    running = std::move(*high.result());
    REQUIRE(overtaken <= 3);
    if (low.done()) break;
  }
  CHECK(overtaken == 3);
}

TEST_CASE("rule 4: a slab keeps the kind it was born with", "[memory][rule]") {
  ManualClock clock;
  MemoryLog log;
  auto pinned = std::make_shared<FakeSource>("alloc-a", SlabKind::pinned);
  auto heap = std::make_shared<FakeSource>("alloc-b", SlabKind::pageable);
  Memory memory({}, {{SpaceId::host(), Bytes(100), {pinned, heap}}}, clock, log);
  Claim only_pageable = slabs("7", {40});
  only_pageable.slabs[0].kinds = SlabKinds{1};
  Claim only_pinned = slabs("7", {40});
  only_pinned.slabs[0].kinds = SlabKinds{2};
  {
    const Granted granted = *memory.claim(only_pageable);
    CHECK(granted.slabs[0].kind() == SlabKind::pageable);
  }
  const Granted granted = *memory.claim(only_pinned);  // a fitting idle slab is there, of the wrong kind
  CHECK(granted.slabs[0].kind() == SlabKind::pinned);
  CHECK(pinned->calls == 1);
  CHECK(memory.used(SpaceId::host()) == Bytes(80));
}

TEST_CASE("rule 4: an idle slab is reused when its waste is at most max_waste", "[memory][rule]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("7", {40}));
  const Granted fits = *bench.memory.claim(slabs("8", {30}));  // a quarter is left over
  CHECK(bench.source->calls == 1);
  CHECK(fits.slabs[0].capacity() == Bytes(40));
  (void)*bench.memory.claim(slabs("9", {20}));
  (void)*bench.memory.claim(slabs("9", {14}));  // 6 of 20 would be wasted: a slab of its own
  CHECK(bench.source->calls == 3);
  CHECK(bench.status().slabs_reused == 1);
}

TEST_CASE("rule 4: when the budget allows no new slab, a larger one serves", "[memory][rule]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("7", {80}));
  const Granted granted = *bench.memory.claim(slabs("8", {30}));
  CHECK(granted.slabs[0].capacity() == Bytes(80));
  CHECK(bench.source->released.empty());
}

TEST_CASE("rule 4: when even that leaves too little, the larger one is replaced", "[memory][rule]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("7", {80}));
  Claim claim = slabs("8", {30});
  claim.bytes.push_back({SpaceId::host(), Bytes(60), "test"});
  const Granted granted = *bench.memory.claim(claim);
  CHECK(granted.slabs[0].capacity() == Bytes(30));
  CHECK(bench.source->released == std::vector{Bytes(80)});
  CHECK(bench.used() == Bytes(90));
}
