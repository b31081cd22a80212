// The reserve: a part of the budget that is charged from the start and that only critical claims may spend; and that
// critical claims wait for nobody but critical ones.
#include <catch2/catch.hpp>
#include <pinion/host/memory/budget.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

constexpr int critical = 4;

// 100 bytes, 20 of them kept.
struct ReserveBench {
  explicit ReserveBench(unsigned max_overtakes = 32)
      : memory({.max_overtakes = max_overtakes, .critical_priority = critical},
               {{SpaceId::host(), Bytes(100), {source}, Bytes(20)}}, clock, log) {}
  SpaceStatus status() const { return memory.snapshot()[0]; }
  Bytes kept() const {
    for (const HoldingStatus& holding : status().holdings)
      if (holding.purpose == "kept for critical work") return holding.reserved;
    return {};
  }

  MemoryLog log;
  ManualClock clock;
  std::shared_ptr<FakeSource> source = std::make_shared<FakeSource>();
  std::shared_ptr<FakeLoader> loader = std::make_shared<FakeLoader>();
  Memory memory;
};

}  // namespace

TEST_CASE("reserve: charged from the start, and visible", "[memory]") {
  ReserveBench bench;
  CHECK(bench.memory.used(SpaceId::host()) == Bytes(20));
  CHECK(bench.kept() == Bytes(20));
  CHECK(accounted(bench.status()) == bench.status().used);
  CHECK(bench.memory.limit(SpaceId::host(), 3) == Bytes(80));
  CHECK(bench.memory.limit(SpaceId::host(), critical) == Bytes(100));
}

TEST_CASE("reserve: ordinary claims cannot have it, and are told so", "[memory]") {
  ReserveBench bench;
  const Status status = bench.memory.claim(bytes("1", 81, 3)).status();
  CHECK(status.code() == Code::over_budget);
  CHECK_THAT(status.message(), Catch::Contains("81 bytes") &&
                                   Catch::Contains("(20 bytes) of it kept for critical work") &&
                                   Catch::Contains("lower memory.critical_reserve, and it fits"));
  const auto all = bench.memory.claim(bytes("1", 80, 3));
  CHECK(all.ok());
  CHECK(bench.memory.try_claim(bytes("2", 1, 3)).status().code() == Code::out_of_memory);
}

TEST_CASE("reserve: a critical claim is granted beside a full budget, and what comes back refills it", "[memory]") {
  ReserveBench bench;
  auto ordinary = *bench.memory.claim(slabs("1", {50, 30}, 3));
  auto urgent = *bench.memory.claim(slabs("2", {15}, critical));
  CHECK(bench.memory.used(SpaceId::host()) == Bytes(100));
  CHECK(bench.kept() == Bytes(5));
  CHECK(accounted(bench.status()) == Bytes(100));
  CHECK(bench.memory.try_claim(bytes("3", 6, critical)).status().code() == Code::out_of_memory);
  SECTION("by its own end") {
    urgent = {};
    CHECK(bench.kept() == Bytes(20));
    CHECK(bench.status().idle == Bytes());  // an idle slab would keep the reserve spent
  }
  SECTION("by whatever ends first") {
    ordinary.slabs[1].reset();
    CHECK(bench.kept() == Bytes(20));
    CHECK(bench.memory.used(SpaceId::host()) == Bytes(50 + 15 + 20));
  }
  CHECK(accounted(bench.status()) == bench.status().used);
}

TEST_CASE("reserve: it is spent last", "[memory]") {
  ReserveBench bench;
  const auto ordinary = *bench.memory.claim(bytes("1", 50, 3));
  const auto urgent = *bench.memory.claim(bytes("2", 40, critical));
  CHECK(bench.kept() == Bytes(10));
}

TEST_CASE("reserve: idle things that others hold are evicted for an ordinary claim until the reserve is whole too",
          "[memory]") {
  ReserveBench bench;
  auto idle = *bench.memory.claim(slabs("1", {60, 20}, 3));
  const auto urgent = *bench.memory.claim(bytes("2", 20, critical));
  CHECK(bench.kept() == Bytes());
  idle = {};
  CHECK(bench.kept() == Bytes(20));
  const auto next = bench.memory.claim(bytes("3", 60, 3));
  REQUIRE(next.ok());
  CHECK(bench.memory.used(SpaceId::host()) == Bytes(100));
}

TEST_CASE("reserve: a claim that was overtaken often still does not go before a critical one", "[memory]") {
  ReserveBench bench(1);
  auto running = *bench.memory.claim(bytes("1", 80, 3));
  Claimant patient(bench.memory, bytes("2", 80, 1));
  REQUIRE(waiting(bench.memory, 1));
  for (int i = 0; i < 3; ++i) CHECK(bench.memory.claim(bytes("small", 10, critical)).ok());
  auto large = bytes("urgent", 70, critical);
  Claimant urgent(bench.memory, large);
  REQUIRE(waiting(bench.memory, 2));
  running = {};
  REQUIRE(urgent.result().ok());
  CHECK_FALSE(patient.done());
  urgent.result() = Status(Code::internal, "given back");
  CHECK(patient.result().ok());
}

TEST_CASE("reserve: what critical work loaded stays for it, however long it is idle", "[memory]") {
  ReserveBench bench;
  const auto keys = [&] { return resident("urgent keys", 10, bench.loader); };
  auto urgent = use("1", keys());
  urgent.priority = critical;
  REQUIRE(bench.memory.claim(urgent).ok());
  bench.clock.advance(std::chrono::hours(1));
  Granted at_work = *bench.memory.claim(slabs("2", {20}, 3));
  SECTION("others wait for those who work") {
    Claimant waits(bench.memory, bytes("3", 55, 3));  // the keys would suffice
    REQUIRE(waiting(bench.memory, 1));
    CHECK(bench.loader->unloads == 0);
    at_work = {};
    CHECK(waits.result().ok());
    CHECK(bench.loader->unloads == 0);
  }
  SECTION("it goes for a claim that can never be granted beside it") {
    Claimant waits(bench.memory, bytes("3", 71, 3));
    REQUIRE(waiting(bench.memory, 1));
    CHECK(bench.loader->unloads == 0);
    at_work = {};
    CHECK(waits.result().ok());
    CHECK(bench.loader->unloads == 1);
  }
  SECTION("an operator can drop it, and closing does") {
    CHECK(bench.memory.evict(SpaceId::host(), Bytes(1)) == Bytes(10));
    REQUIRE(bench.memory.claim(urgent).ok());
    at_work = {};
    (void)bench.memory.close();
    CHECK(bench.loader->unloads == 2);
  }
}

TEST_CASE("reserve: a critical claim does not spare what others used lately", "[memory]") {
  ReserveBench bench;
  (void)*bench.memory.claim(use("1", resident("keys", 60, bench.loader)));
  const auto at_work = *bench.memory.claim(slabs("2", {15}, 3));
  CHECK(bench.memory.claim(bytes("3", 50, critical)).ok());  // the clock stands still
  CHECK(bench.loader->unloads == 1);
}

TEST_CASE("reserve: that it was too small for a critical claim is said once, with its size", "[memory]") {
  ReserveBench bench;
  auto at_work = *bench.memory.claim(slabs("1", {75}, 3));
  for (int round = 0; round < 2; ++round) {
    Claimant urgent(bench.memory, bytes("urgent", 30, critical));
    REQUIRE(waiting(bench.memory, 1));
    REQUIRE(soon([&] { return bench.log.count(LogLevel::warn) == 1; }));
    at_work = {};
    REQUIRE(urgent.result().ok());
    urgent.result() = Status(Code::internal, "given back");
    at_work = *bench.memory.claim(slabs("1", {75}, 3));
  }
  CHECK_THAT(bench.log.lines().back().text, Catch::Contains("takes 30 B") && Catch::Contains("20 B are") &&
                                                Catch::Contains("memory.critical_reserve"));
}

TEST_CASE("reserve: of a device, too: what it keeps is its own, and so is what is told of it", "[memory]") {
  MemoryLog log;
  ManualClock clock;
  Memory memory({.critical_priority = critical},
                {{SpaceId::host(), Bytes(100), {std::make_shared<FakeSource>()}, Bytes(20)},
                 {SpaceId::device(0), Bytes(50), {}, Bytes(5)}},
                clock, log);
  const auto arena = [](const char* owner, std::uint64_t size, std::uint32_t priority) {
    Claim claim = bytes(owner, 10, priority);
    claim.bytes.push_back({SpaceId::device(0), Bytes(size), "arena"});
    return claim;
  };
  CHECK(memory.claim(arena("1", 46, 3)).status().code() == Code::over_budget);
  auto at_work = *memory.claim(arena("1", 45, 3));
  CHECK(memory.claim(arena("2", 5, critical)).ok());
  Claimant urgent(memory, arena("3", 6, critical));
  REQUIRE(soon([&] { return log.count(LogLevel::warn) == 1; }));
  CHECK_THAT(log.lines().back().text,
             Catch::Contains("in space device 0 it takes 6 B") && Catch::Contains("5 B are kept"));
  at_work = {};
  CHECK(urgent.result().ok());
}

TEST_CASE("history: a slab remembers the kinds of work it served", "[memory]") {
  Bench bench;
  const auto serve = [&](const char* label) {
    Claim claim = slabs("1", {40});
    claim.label = label;
    (void)bench.memory.claim(claim);
  };
  for (const char* label : {"red", "red", "blue", "red"}) serve(label);
  const SpaceStatus status = bench.status();
  REQUIRE(status.slabs.size() == 1);
  CHECK(status.slabs[0].leases == 4);
  CHECK(status.slabs[0].labels == std::vector<std::string>{"red", "blue"});
  REQUIRE(status.handovers.size() == 2);
  CHECK((status.handovers[0].from == "blue" && status.handovers[0].to == "red" && status.handovers[0].count == 1));
  CHECK((status.handovers[1].from == "red" && status.handovers[1].to == "blue" && status.handovers[1].count == 1));
}
