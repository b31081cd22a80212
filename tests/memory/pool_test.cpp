// The pool as an operator sees it: the life of a slab, page-locked memory under its own limit, slabs made at start, and
// giving everything back at the end.
#include <catch2/catch.hpp>
#include <latch>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;
using Catch::Contains;

namespace {

// 100 bytes of host memory: page-locked first, ordinary as a fallback.
struct TwoKinds {
  explicit TwoKinds(std::optional<Bytes> pinned_max, bool fallback = false)
      : memory(options(pinned_max), {{SpaceId::host(), Bytes(100), sources(fallback)}}, clock, log) {}

  static MemoryOptions options(std::optional<Bytes> pinned_max) {
    MemoryOptions options;
    options.pinned_max = pinned_max;
    return options;
  }
  std::vector<std::shared_ptr<SlabSource>> sources(bool fallback) const {
    if (fallback) return {pinned, heap};
    return {pinned};
  }
  SpaceStatus status() const { return memory.snapshot().at(0); }

  MemoryLog log;
  ManualClock clock;
  std::shared_ptr<FakeSource> pinned = std::make_shared<FakeSource>("alloc-a", SlabKind::pinned);
  std::shared_ptr<FakeSource> heap = std::make_shared<FakeSource>("alloc-b", SlabKind::pageable);
  Memory memory;
};

std::vector<std::string> states(const SpaceStatus& status) {
  std::vector<std::string> out;
  for (const HoldingStatus& holding : status.holdings) out.push_back(holding.state);
  return out;
}

}  // namespace

TEST_CASE("a slab's life is visible at every step, with who leases it and what for", "[memory][pool]") {
  Bench bench;
  using States = std::vector<std::string>;
  bench.source->on_allocate = [&] { CHECK(states(bench.status()) == States{"allocating"}); };
  bench.source->on_release = [&] { CHECK(states(bench.status()) == States{"releasing"}); };
  Claim claim = slabs("7", {40});
  claim.owner.partition = 3;
  claim.slabs[0].purpose = "evaluations a";
  Granted granted = *bench.memory.claim(claim);
  const HoldingStatus leased = bench.status().holdings.at(0);
  CHECK(leased.state == "leased");
  CHECK(leased.owner == Owner{"7", 3, ""});
  CHECK(leased.purpose == "evaluations a");
  CHECK(leased.reserved == Bytes(40));
  granted = {};
  CHECK(states(bench.status()) == States{"idle"});
  CHECK(bench.status().holdings.at(0).owner == Owner{});  // nobody's any more
  bench.memory.evict(SpaceId::host(), Bytes(1));
  CHECK(bench.status().holdings.empty());
  CHECK(bench.used() == Bytes());
}

TEST_CASE("page-locked slabs have a limit of their own: beyond it claims wait, they do not fail", "[memory][pool]") {
  TwoKinds bench(Bytes(50));
  Granted running = *bench.memory.claim(slabs("1", {30}));
  CHECK(bench.status().pinned.used == Bytes(30));
  CHECK(bench.status().pinned.limit == Bytes(50));
  CHECK(bench.memory.try_claim(slabs("2", {30})).status().code() == Code::out_of_memory);
  Claimant waits(bench.memory, slabs("2", {30}));
  REQUIRE(waiting(bench.memory, 1));
  CHECK(bench.memory.used(SpaceId::host()) == Bytes(30));  // there is room in the budget
  running = {};
  CHECK(waits.result().ok());
  CHECK(bench.status().pinned.high_water == Bytes(30));
}

TEST_CASE("what exceeds the limit of page-locked memory by itself is refused at once, with the key", "[memory][pool]") {
  TwoKinds bench(Bytes(50));
  const Status status = bench.memory.claim(slabs("1", {30, 30})).status();
  CHECK(status.code() == Code::over_budget);
  CHECK_THAT(status.message(), Contains("60 bytes") && Contains("50 bytes") && Contains("memory.pinned_max"));
  CHECK(bench.memory.used(SpaceId::host()) == Bytes());
}

TEST_CASE("idle page-locked slabs make way under their limit although the budget has room", "[memory][pool]") {
  TwoKinds bench(Bytes(50));
  (void)*bench.memory.claim(slabs("1", {40}));
  CHECK(bench.memory.claim(slabs("2", {12, 12})).ok());  // too wasteful to reuse, too much beside it
  CHECK(bench.pinned->released == std::vector{Bytes(40)});
  CHECK(bench.status().pinned.used == Bytes(24));
}

TEST_CASE("a fallback slab leaves the page-locked ledger, and a refusal leaves it empty", "[memory][pool]") {
  TwoKinds bench(Bytes(50), true);
  bench.pinned->failures = 1;
  const Granted ordinary = *bench.memory.claim(slabs("1", {30}));
  CHECK(ordinary.slabs[0].kind() == SlabKind::pageable);
  CHECK(bench.status().pinned.used == Bytes());
  bench.pinned->failures = bench.heap->failures = 1;
  CHECK_FALSE(bench.memory.claim(slabs("2", {20})).ok());
  CHECK(bench.status().pinned.used == Bytes());
  CHECK(bench.memory.used(SpaceId::host()) == Bytes(30));
  CHECK(bench.memory.claim(slabs("3", {50})).ok());
  CHECK(bench.status().pinned.used == Bytes(50));
}

TEST_CASE("a page-locked buffer of a resident counts, and is uncounted with it", "[memory][pool]") {
  TwoKinds bench(Bytes(50));
  auto loader = std::make_shared<FakeLoader>();
  ResidentSpec spec = resident("keys", 5, loader);
  spec.buffer = SlabNeed{Bytes(40), {}, {}, "keys"};
  (void)*bench.memory.claim(use("a", spec));
  CHECK(bench.status().pinned.used == Bytes(40));
  bench.clock.advance(std::chrono::hours(1));
  CHECK(bench.memory.claim(slabs("b", {20})).ok());  // the resident makes way for page-locked memory
  CHECK(loader->unloads == 1);
  CHECK(bench.status().pinned.used == Bytes(20));
}

TEST_CASE("slabs are warmed one after another, visibly, and the first job pays nothing", "[memory][warm]") {
  Bench bench;
  std::latch look(1);
  std::atomic<int> begun{0};
  bench.source->on_allocate = [&] {
    if (++begun == 2) look.wait();
  };
  std::jthread warmer([&](const std::stop_token& stop) { bench.memory.warm({Bytes(60), Bytes(20)}, stop); });
  REQUIRE(soon([&] { return begun == 2; }));
  CHECK(bench.status().warm.state == "warming");
  CHECK(bench.status().warm.made == Bytes(20));
  CHECK(bench.status().warm.wanted == Bytes(60));
  CHECK(bench.used() == Bytes(40));  // charged before it exists
  CHECK(accounted(bench.status()) == bench.used());
  look.count_down();
  warmer.join();
  CHECK(bench.status().warm.state == "ready");
  CHECK(bench.status().idle == Bytes(60));
  CHECK(bench.memory.claim(slabs("1", {20, 20, 16})).ok());
  CHECK(bench.source->calls == 3);
}

TEST_CASE("warming drops nothing, stops where the budget is in use, and says so", "[memory][warm]") {
  Bench bench;
  (void)*bench.memory.claim(use("a", resident("keys", 50, bench.loader)));
  bench.clock.advance(std::chrono::hours(1));
  bench.memory.warm({Bytes(100), Bytes(20)}, {});
  CHECK(bench.status().warm.state == "stopped");
  CHECK_THAT(bench.status().warm.reason,
             Contains("a slab of 20 B (memory.warm_slab) does not fit: 90 B of 100 B are in use"));
  CHECK_THAT(bench.log.lines().back().text, Contains("memory.warm = 100B: 40 B are made, and no more"));
  CHECK(bench.status().warm.made == Bytes(40));
  CHECK(bench.loader->unloads == 0);
}

TEST_CASE("claims that wait go before warming, and warmed slabs make way for them", "[memory][warm]") {
  Bench bench;
  Granted running = *bench.memory.claim(bytes("1", 60));
  Claimant large(bench.memory, bytes("2", 90));
  REQUIRE(waiting(bench.memory, 1));
  std::jthread warmer([&](const std::stop_token& stop) { bench.memory.warm({Bytes(40), Bytes(20)}, stop); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(bench.source->calls == 0);
  CHECK(bench.status().warm.state == "warming");
  running = {};
  CHECK(large.result().ok());
  warmer.join();
  CHECK(bench.used() <= Bytes(100));
  large.result() = Status(Code::cancelled, "ended");
  bench.memory.warm({Bytes(80), Bytes(20)}, {});
  CHECK(bench.memory.claim(bytes("3", 100)).ok());
}

TEST_CASE("warming is not a way around a refusal, and its failure is a warning", "[memory][warm]") {
  TwoKinds bench(std::nullopt, true);
  bench.pinned->failures = 1;
  bench.memory.warm({Bytes(40), Bytes(20)}, {});
  CHECK(bench.status().warm.state == "stopped");
  CHECK_THAT(bench.status().warm.reason, Contains("alloc-a"));
  CHECK(bench.heap->calls == 0);  // no fallback behind the operator's back
  CHECK(bench.log.count(LogLevel::warn) == 1);
  CHECK(bench.memory.used(SpaceId::host()) == Bytes());
}

TEST_CASE("warmed slabs are placed for each device in turn", "[memory][warm]") {
  Bench bench;
  Placement first, second;
  first.numa_node = 0;
  second.numa_node = 1;
  bench.memory.warm({Bytes(40), Bytes(20), {first, second}}, {});
  Claim claim = slabs("1", {20});
  claim.slabs[0].placement = second;
  CHECK(bench.memory.claim(claim).ok());
  CHECK(bench.source->calls == 2);  // reused the one on its node
}

TEST_CASE("the end of the host ends warming", "[memory][warm]") {
  Bench bench;
  bench.source->on_allocate = [&] {
    if (bench.source->calls == 1) bench.memory.close();
  };
  bench.memory.warm({Bytes(100), Bytes(20)}, {});
  CHECK(bench.status().warm.state == "stopped");
  CHECK(bench.source->live() == Bytes());
  CHECK(bench.used() == Bytes());
}

TEST_CASE("at the end slabs and residents are given back several at a time, and the rate is logged",
          "[memory][close]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("1", {10, 10, 10, 10}));
  (void)*bench.memory.claim(use("2", resident("keys", 20, bench.loader)));
  std::latch all_at_once(5);  // each waits for the other four
  bench.source->on_release = [&] { all_at_once.arrive_and_wait(); };
  bench.loader->on_unload = [&] { all_at_once.arrive_and_wait(); };
  CHECK(bench.memory.close().empty());
  CHECK(bench.used() == Bytes());
  CHECK(bench.source->live() == Bytes());
  REQUIRE(bench.log.count(LogLevel::info) == 1);
  CHECK_THAT(bench.log.lines().back().text,
             Contains("gave back 60 B") && Contains("GiB/s") && Contains("4 idle slabs, 1 residents"));
}

TEST_CASE("a resident is preloaded, found by its first job, and evicted by hand", "[memory][pool]") {
  Bench bench;
  CHECK(bench.memory.preload({"", std::nullopt, "daemon"}, resident("keys", 30, bench.loader)).ok());
  CHECK(bench.status().residents.at(0).users == 0);
  CHECK(bench.memory.preload({}, resident("keys", 30, bench.loader)).ok());  // is there already
  CHECK(bench.memory.claim(use("1", resident("keys", 30, bench.loader))).ok());
  CHECK(bench.loader->loads == 1);
  CHECK(*bench.memory.evict(SpaceId::host(), "keys") == Bytes(30));
  bench.loader->on_load = [](const LoadCall&) { return Status(Code::invalid_input, "no such file"); };
  CHECK_THAT(bench.memory.preload({}, resident("keys", 30, bench.loader)).message(), Contains("no such file"));
  CHECK(bench.memory.preload({}, resident("keys", 130, bench.loader)).code() == Code::over_budget);
  CHECK(bench.used() == Bytes());
}

TEST_CASE("a claim that drops nothing takes what is free, or fails and leaves what is idle", "[memory][pool]") {
  Bench bench;
  (void)*bench.memory.claim(use("7", resident("keys", 60, bench.loader)));
  Claim modest = use("8", resident("other keys", 50, bench.loader));
  modest.drops = false;
  const Status refused = bench.memory.try_claim(modest).status();
  CHECK(refused.code() == Code::out_of_memory);
  CHECK_THAT(refused.message(), Contains("are used"));
  CHECK(bench.loader->loaded == 1);
  modest.residents[0].bytes[0].bytes = Bytes(40);
  CHECK(bench.memory.try_claim(modest).ok());
  CHECK(bench.used() == Bytes(100));
}

TEST_CASE("page-locked bytes that a fallback does not take are given out at once", "[memory]") {
  ManualClock clock;
  MemoryLog log;
  const auto pinned = std::make_shared<FakeSource>("alloc-a", SlabKind::pinned);
  const auto heap = std::make_shared<FakeSource>("alloc-b", SlabKind::pageable);
  MemoryOptions options;
  options.pinned_max = Bytes(50);
  Memory memory(options, {{SpaceId::host(), Bytes(100), {pinned, heap}}}, clock, log);
  std::latch refuse(1), finish(1);
  std::atomic<int> asked{0};
  pinned->on_allocate = [&] {
    if (asked++ == 0) refuse.wait();
  };
  pinned->failures = 1;
  heap->on_allocate = [&] { finish.wait(); };
  Claimant falls_back(memory, slabs("1", {40}));
  REQUIRE(soon([&] { return memory.snapshot()[0].pinned.used == Bytes(40); }));
  Claim locked = slabs("2", {40});
  locked.slabs[0].kinds = SlabKinds{static_cast<std::uint32_t>(SlabKind::pinned)};
  Claimant waits(memory, locked);
  REQUIRE(waiting(memory, 1));
  refuse.count_down();
  CHECK(soon([&] { return waits.done(); }));  // the other's slab is not made yet
  finish.count_down();
  CHECK(falls_back.result().ok());
  CHECK(waits.result().ok());
}
