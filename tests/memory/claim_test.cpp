#include <catch2/catch.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

TEST_CASE("a claim grants slabs, bytes and residents together, in the order asked", "[memory]") {
  Bench bench;
  Claim claim = slabs("7", {10, 0, 20});
  claim.bytes.push_back({SpaceId::device(0), Bytes(5), "arena"});
  claim.residents.push_back(resident("keys", 30, bench.loader));
  Granted granted = *bench.memory.claim(claim);
  REQUIRE(granted.slabs.size() == 3);
  CHECK(granted.slabs[0].bytes() == Bytes(10));
  CHECK(granted.slabs[0].data() != nullptr);
  CHECK(granted.slabs[1].data() == nullptr);  // zero bytes are fine
  CHECK(granted.slabs[2].capacity() == Bytes(20));
  CHECK(granted.bytes[0].bytes() == Bytes(5));
  CHECK(granted.residents[0].handle() == bench.loader.get());
  CHECK(bench.used() == Bytes(60));
  CHECK(bench.memory.used(SpaceId::device(0)) == Bytes(5));
  granted = {};
  CHECK(bench.used() == Bytes(60));  // idle slabs and the idle resident stay charged
  CHECK(bench.memory.used(SpaceId::device(0)) == Bytes());
  CHECK(bench.status().idle == Bytes(30));
}

TEST_CASE("sizes are rounded to the allocator's granularity and both figures are shown", "[memory]") {
  ManualClock clock;
  MemoryLog log;
  auto source = std::make_shared<FakeSource>("alloc-test", SlabKind::pageable, Bytes(4096));
  Memory memory({}, {{SpaceId::host(), Bytes(10'000), {source}}}, clock, log);
  const Granted granted = *memory.claim(slabs("7", {5000}));
  CHECK(granted.slabs[0].bytes() == Bytes(5000));
  CHECK(granted.slabs[0].capacity() == Bytes(8192));
  const SpaceStatus status = memory.snapshot()[0];
  REQUIRE(status.holdings.size() == 1);
  CHECK(status.holdings[0].requested == Bytes(5000));
  CHECK(status.holdings[0].reserved == Bytes(8192));
  CHECK(status.holdings[0].owner.job == "7");
}

TEST_CASE("a budget of N serves N in equal parts", "[memory]") {
  Bench bench(Bytes(64));
  const Granted two = *bench.memory.claim(slabs("7", {32, 32}));
  CHECK(bench.memory.try_claim(slabs("7", {32})).status().code() == Code::out_of_memory);
}

TEST_CASE("what can never be granted is refused at once, with its reason", "[memory]") {
  Bench bench;
  const auto refused = [&](const Claim& claim, Code code = Code::over_budget) {
    const Status status = bench.memory.claim(claim).status();
    CHECK(status.code() == code);
    return status.message();
  };
  CHECK_THAT(refused(slabs("7", {60, 41})), Catch::Contains("101 bytes") && Catch::Contains("100 bytes"));
  CHECK_THAT(refused(bytes("7", 51, 0, SpaceId::device(0))), Catch::Contains("space device 0"));
  CHECK_THAT(refused(bytes("7", 1, 0, SpaceId::device(3)), Code::unsupported),
             Catch::Contains("no space \"device 3\""));
  Claim wrong_kind = slabs("7", {10});
  wrong_kind.slabs[0].kinds = SlabKinds{2};
  CHECK_THAT(refused(wrong_kind, Code::unsupported),
             Catch::Contains("needs pinned memory") && Catch::Contains("alloc-test"));
  CHECK_THAT(refused(slabs("7", {UINT64_MAX})), Catch::Contains("in one piece"));
  Claim wraps = bytes("7", UINT64_MAX);
  wraps.bytes.push_back(wraps.bytes.front());
  CHECK_THAT(refused(wraps), Catch::Contains("more than 64 bits"));
  CHECK(bench.used() == Bytes());
  CHECK(bench.status().waiting.empty());
}

TEST_CASE("what a job keeps until its end counts against its own claims", "[memory]") {
  Bench bench;
  const Granted parsed = *bench.memory.claim(bytes("7", 30));
  const Status status = bench.memory.claim(slabs("7", {80})).status();
  CHECK(status.code() == Code::over_budget);
  CHECK_THAT(status.message(), Catch::Contains("already held by the job itself"));
  // A partition's holdings end by themselves, and other jobs' holdings too: those are waited for.
  Claim partition = bytes("8", 30);
  partition.owner.partition = 0;
  Result<Granted> running = bench.memory.claim(partition);
  Claimant waits(bench.memory, slabs("8", {60}));
  REQUIRE(waiting(bench.memory, 1));
  running = Status(Code::cancelled, "ended");
  CHECK(waits.result().ok());
}

TEST_CASE("who does not fit beside what stands for as long as others work is refused, and waits for nobody",
          "[memory]") {
  Bench bench;
  Claim load = bytes("load", 60);
  load.standing = true;
  auto standing = bench.memory.claim(load);
  REQUIRE(standing);
  CHECK(bench.memory.cost(bytes("a", 40), SpaceId::host()).value() == Bytes(100));
  CHECK(bench.memory.claim(bytes("a", 40)));
  const auto refused = bench.memory.claim(bytes("b", 41));
  CHECK(refused.status().code() == Code::over_budget);
  CHECK_THAT(refused.status().message(),
             Catch::Contains("41 bytes") && Catch::Contains("60 bytes) of it taken for as long as this runs"));
  CHECK(bench.memory.try_claim(bytes("b", 41)).status().code() == Code::over_budget);
  *standing = {};
  CHECK(bench.memory.claim(bytes("b", 41)));
}

TEST_CASE("reservations are given back in parts, and never more than they are", "[memory]") {
  Bench bench;
  Granted granted = *bench.memory.claim(bytes("7", 50));
  CHECK(granted.bytes[0].release(Bytes(20)).ok());
  CHECK(bench.used() == Bytes(30));
  CHECK(granted.bytes[0].release(Bytes(31)).code() == Code::internal);
  CHECK(bench.used() == Bytes(30));
  granted.bytes[0].reset();
  granted.bytes[0].reset();
  CHECK(bench.used() == Bytes());
}

TEST_CASE("an allocator that refuses is tried again after eviction, then the claim fails whole", "[memory]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("6", {40}));  // leaves an idle slab
  bench.source->failures = 1;
  const Granted retried = *bench.memory.claim(slabs("7", {20}));
  CHECK(bench.source->released.size() == 1);
  CHECK(bench.used() == Bytes(20));
  bench.source->failures = 1;
  Claim claim = slabs("8", {10, 10});
  claim.bytes.push_back({SpaceId::host(), Bytes(5), "test"});
  const Status status = bench.memory.claim(claim).status();
  CHECK(status.code() == Code::out_of_memory);
  CHECK_THAT(status.message(), Catch::Contains("alloc-test") && Catch::Contains("host memory") &&
                                   Catch::Contains("10 bytes") && Catch::Contains("job 8"));
  CHECK(bench.used() == Bytes(20));
}

TEST_CASE("a cancelled claim leaves the queue and lets the next one through", "[memory]") {
  Bench bench;
  Granted running = *bench.memory.claim(bytes("1", 60));
  Claimant large(bench.memory, bytes("2", 90));
  REQUIRE(waiting(bench.memory, 1));
  Claimant small(bench.memory, bytes("3", 10));
  REQUIRE(waiting(bench.memory, 2));
  large.cancel();
  CHECK(small.result().ok());
  CHECK(large.result().status().code() == Code::cancelled);
  std::stop_source stopped;
  stopped.request_stop();
  CHECK(bench.memory.claim(bytes("4", 1), stopped.get_token()).status().code() == Code::cancelled);
}

TEST_CASE("claims on different spaces do not wait for each other", "[memory]") {
  Bench bench;
  const Granted running = *bench.memory.claim(bytes("1", 60));
  Claimant blocked(bench.memory, bytes("2", 90));
  REQUIRE(waiting(bench.memory, 1));
  CHECK(bench.memory.claim(bytes("3", 50, 0, SpaceId::device(0))).ok());
  blocked.cancel();
  CHECK_FALSE(blocked.result().ok());
}

TEST_CASE("a claim over two spaces takes both or neither", "[memory]") {
  Bench bench;
  Granted device = *bench.memory.claim(bytes("1", 40, 0, SpaceId::device(0)));
  Claim both = bytes("2", 50);
  both.bytes.push_back({SpaceId::device(0), Bytes(20), "test"});
  CHECK(bench.memory.try_claim(both).status().code() == Code::out_of_memory);
  CHECK(bench.used() == Bytes());
  Claimant waits(bench.memory, both);
  REQUIRE(waiting(bench.memory, 1));
  CHECK(bench.used() == Bytes());
  device = {};
  CHECK(waits.result().ok());
}

TEST_CASE("a running job's small request passes waiting claims, since it must end", "[memory]") {
  Bench bench;
  const Granted running = *bench.memory.claim(bytes("1", 60));
  Claimant large(bench.memory, bytes("2", 90));
  REQUIRE(waiting(bench.memory, 1));
  CHECK(bench.memory.try_claim(bytes("1", 10)).ok());
  large.cancel();
  CHECK_FALSE(large.result().ok());
}

TEST_CASE("closing cancels who waits and reports who holds", "[memory]") {
  Bench bench;
  Granted held = *bench.memory.claim(slabs("7", {60}));
  (void)*bench.memory.claim(slabs("8", {20}));  // leaves an idle slab
  (void)*bench.memory.claim(use("8", resident("keys", 10, bench.loader)));
  Claimant waits(bench.memory, bytes("9", 90));
  REQUIRE(waiting(bench.memory, 1));
  const std::vector<HoldingStatus> leaks = bench.memory.close();
  CHECK(waits.result().status().code() == Code::cancelled);
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].owner.job == "7");
  CHECK(bench.loader->unloads == 1);
  CHECK(bench.used() == Bytes(60));
  CHECK(bench.memory.claim(bytes("9", 1)).status().code() == Code::cancelled);
  held = {};
  CHECK(bench.used() == Bytes());
  CHECK(bench.source->live() == Bytes());
}

TEST_CASE("granted values outlive their Memory", "[memory]") {
  auto bench = std::make_unique<Bench>();
  const auto source = bench->source;
  Claim claim = slabs("7", {60});
  claim.residents.push_back(resident("keys", 10, bench->loader));
  const auto loader = bench->loader;
  ManualClock& clock = bench->clock;
  (void)clock;
  Granted held = *bench->memory.claim(claim);
  bench->memory.close();
  held = {};
  CHECK(source->live() == Bytes());
  CHECK(loader->unloads == 1);
}

TEST_CASE("who waits for nothing but what others hold who are not at work says so, and goes on waiting", "[memory]") {
  Bench bench;
  std::atomic<int> stalled{0};
  Claim claim = bytes("a", 60);
  claim.stalled = [&stalled] { ++stalled; };
  Granted request = *bench.memory.claim(bytes("b", 45));
  Claim work = bytes("b", 40);
  work.owner.partition = 0;
  Granted partition = *bench.memory.claim(work);
  Claimant waits(bench.memory, claim);
  REQUIRE(waiting(bench.memory, 1));
  CHECK(stalled == 0);  // a partition is at work, and ends
  partition = {};
  CHECK(soon([&] { return stalled > 0; }));
  CHECK_FALSE(waits.done());
  request = {};
  CHECK(waits.result().ok());
  CHECK(waiting(bench.memory, 0));
}
