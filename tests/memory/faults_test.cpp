// The memory faults found in the daemon this replaces (SDK spec 2.13), by number: each cannot happen here.
#include <catch2/catch.hpp>
#include <pinion/host/memory/budget.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

TEST_CASE("fault 2: evicted pool slabs count only for what they really gave back", "[memory][fault]") {
  Bench bench;
  const Granted running = *bench.memory.claim(slabs("1", {50}));
  (void)*bench.memory.claim(slabs("2", {20}));
  CHECK(bench.used() == Bytes(70));  // idle slabs are inside the budget
  const Bytes freed = bench.memory.evict(SpaceId::host(), Bytes(100));
  CHECK(freed == Bytes(20));
  CHECK(bench.used() == Bytes(50));
  CHECK(bench.source->live() == bench.used());
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(100)) == Bytes());  // nothing gained, nothing reported
}

TEST_CASE("fault 3: slabs are dropped largest first, as stated", "[memory][fault]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("1", {10, 40, 20}));
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(45)) == Bytes(60));
  CHECK(bench.source->released == std::vector{Bytes(40), Bytes(20)});
}

TEST_CASE("fault 4: each slab goes back with its own size", "[memory][fault]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("1", {40}));
  // The first takes the larger idle slab, the others get slabs of their own size.
  { const Granted three = *bench.memory.claim(slabs("2", {30, 14, 14})); }
  CHECK(bench.status().idle == Bytes(68));
  CHECK(bench.used() == Bytes(68));
  bench.memory.evict(SpaceId::host(), Bytes(100));  // the fake allocator ends the test at a wrong size
  CHECK(bench.used() == Bytes());
  CHECK(bench.source->live() == Bytes());
}

TEST_CASE("fault 5: a release between the failed check and the wait is not lost", "[memory][fault]") {
  Bench bench;
  // Each round a waiter goes to sleep while the holder returns: a lost wake-up leaves it waiting for ever.
  for (int round = 0; round < 2'000; ++round) {
    Granted running = *bench.memory.claim(bytes("holder", 100));
    Claimant waits(bench.memory, bytes("waiter", 100));
    if (round % 2 == 0) std::this_thread::yield();
    running = {};
    REQUIRE(waits.result().ok());
    waits.result() = Status(Code::cancelled, "ended");
  }
}

TEST_CASE("fault 6: a stream of small claims cannot starve a large one", "[memory][fault]") {
  Bench bench;
  std::atomic<bool> large_done{false};
  std::atomic<int> after_large_asked{0};
  std::atomic<bool> large_asked{false};
  std::vector<std::thread> small;
  for (int t = 0; t < 4; ++t) {
    small.emplace_back([&, t] {
      while (!large_done) {
        const Result<Granted> granted = bench.memory.claim(bytes("small " + std::to_string(t), 25));
        if (large_asked && !large_done) ++after_large_asked;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    });
  }
  Claimant large(bench.memory, bytes("large", 100));
  REQUIRE(soon([&] {
    large_asked = true;
    return large.done();
  }));
  large_done = true;
  large.result() = Status(Code::cancelled, "ended");
  for (std::thread& thread : small) thread.join();
  CHECK(after_large_asked < 1'000);
}

TEST_CASE("fault 7: nobody holds working memory while it waits for parameters", "[memory][fault]") {
  Bench bench;
  Granted running = *bench.memory.claim(bytes("1", 60));
  Claim step = slabs("2", {30});
  step.residents.push_back(resident("keys", 50, bench.loader));
  Claimant waits(bench.memory, step);
  REQUIRE(waiting(bench.memory, 1));
  CHECK(bench.used() == Bytes(60));  // its slab would fit, but is not taken before all of it is
  CHECK(bench.source->calls == 0);
  running = {};
  CHECK(waits.result().ok());
}

TEST_CASE("fault 8: what eviction gives back does not depend on the file", "[memory][fault]") {
  Bench bench;
  ResidentSpec spec = resident("keys", 44, bench.loader);
  (void)*bench.memory.claim(use("1", spec));
  spec.bytes.clear();  // the file is gone: nothing can be measured any more
  (void)*bench.memory.claim(use("2", spec));
  CHECK(*bench.memory.evict(SpaceId::host(), "keys") == Bytes(44));
  CHECK(bench.used() == Bytes());
}

// And those of the formats spec 8.9, with their numbers there.

TEST_CASE("fault 8.9/9: no counter beside the ledger can drift: what goes back is what was charged",
          "[memory][fault]") {
  Bench bench;
  Granted granted = *bench.memory.claim(bytes("1", 40));
  CHECK(granted.bytes[0].release(Bytes(41)).code() == Code::internal);
  CHECK(granted.bytes[0].release(Bytes(40)).ok());
  CHECK_FALSE(granted.bytes[0].release(Bytes(1)).ok());
  granted = {};
  granted = {};
  CHECK(bench.used() == Bytes());
  CHECK(accounted(bench.status()) == bench.used());
  Budget budget(Bytes(100));
  CHECK_THROWS_AS(budget.uncharge(Bytes(1)), BytesOverflow);  // an underflow is a defect, and loud
}

TEST_CASE("fault 8.9/14: status answers while memory is made, loaded, dropped and given back", "[memory][fault]") {
  Bench bench;
  std::atomic<int> looks{0};
  const auto look = [&] {  // from another thread, as a status request comes
    std::thread([&] { looks += bench.status().budget == Bytes(100) ? 1 : 0; }).join();
  };
  bench.source->on_allocate = bench.source->on_release = look;
  bench.loader->on_unload = look;
  bench.loader->on_load = [&](const LoadCall&) {
    look();
    return Status();
  };
  Claim claim = use("1", resident("keys", 30, bench.loader));
  claim.slabs.push_back({Bytes(20), {}, {}, "test"});
  (void)*bench.memory.claim(claim);
  bench.memory.evict(SpaceId::host(), Bytes(100));
  CHECK(looks == 4);
}

TEST_CASE("fault 8.9/15: a request is charged before it is parsed, and waits when it does not fit", "[memory][fault]") {
  Bench bench;
  std::vector<Granted> parsed;
  for (const char* job : {"1", "2", "3"}) parsed.push_back(*bench.memory.claim(bytes(job, 30)));
  Claimant fourth(bench.memory, bytes("4", 30));
  REQUIRE(waiting(bench.memory, 1));
  CHECK(bench.used() == Bytes(90));
  parsed.clear();
  CHECK(fourth.result().ok());
}

TEST_CASE("fault 8.9/16: a job that has failed takes no memory any more", "[memory][fault]") {
  Bench bench;
  std::stop_source failed;
  failed.request_stop();
  Claim claim = use("1", resident("keys", 30, bench.loader));
  claim.slabs.push_back({Bytes(20), {}, {}, "test"});
  CHECK(bench.memory.claim(claim, failed.get_token()).status().code() == Code::cancelled);
  CHECK(bench.source->calls == 0);
  CHECK(bench.loader->loads == 0);
  CHECK(bench.status().high_water == Bytes());
}

TEST_CASE("fault 8.9/17: concurrent first proofs load once, and pay once for what both need", "[memory][fault]") {
  Bench bench;
  ResidentSpec shape = resident("shape", 40, bench.loader);
  shape.load_bytes.push_back({SpaceId::host(), Bytes(20), "while loading"});
  bench.loader->on_load = [&](const LoadCall&) {
    return soon([&] { return bench.status().residents.at(0).users == 3; }) ? Status() : Status(Code::internal, "alone");
  };
  std::vector<std::unique_ptr<Claimant>> first;
  for (const char* job : {"1", "2", "3"}) first.push_back(std::make_unique<Claimant>(bench.memory, use(job, shape)));
  for (auto& claimant : first) CHECK(claimant->result().ok());
  CHECK(bench.loader->loads == 1);
  CHECK(bench.status().high_water == Bytes(60));
  CHECK(bench.used() == Bytes(40));
}

TEST_CASE("fault 8.9/19: evicting by hand evicts, and the figures of residents and of pinned memory are true",
          "[memory][fault]") {
  ManualClock clock;
  MemoryLog log;
  auto pinned = std::make_shared<FakeSource>("alloc-a", SlabKind::pinned);
  auto loader = std::make_shared<FakeLoader>();
  Memory memory({}, {{SpaceId::host(), Bytes(100), {pinned}}}, clock, log);
  Granted granted = *memory.claim(use("1", resident("keys", 30, loader)));
  const Granted leased = *memory.claim(slabs("2", {20}));
  const SpaceStatus status = memory.snapshot().at(0);
  CHECK(status.pinned.used == Bytes(20));
  CHECK(status.pinned.limit == Bytes(100));
  CHECK(status.residents.at(0).bytes == Bytes(30));
  CHECK(status.residents.at(0).users == 1);
  CHECK(memory.evict(SpaceId::host(), "keys").status().code() == Code::unsupported);
  granted = {};
  CHECK(*memory.evict(SpaceId::host(), "keys") == Bytes(30));
  CHECK(loader->unloads == 1);
}

TEST_CASE("fault 8.9/21: what was evicted is no longer listed", "[memory][fault]") {
  Bench bench;
  CHECK(bench.memory.preload({}, resident("keys", 30, bench.loader)).ok());
  CHECK(bench.status().residents.size() == 1);
  CHECK(bench.memory.evict(SpaceId::host(), "keys").ok());
  CHECK(bench.status().residents.empty());
  CHECK(bench.status().evicted_residents == 1);
}
