// What a claim did until it was granted, as spans: waiting told apart from evicting, loading and making slabs.
#include <algorithm>
#include <catch2/catch.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

struct Traced {
  Bench bench;
  Spans spans{bench.clock};
  SpanId parent = spans.begin("claim");

  Claim traced(Claim claim) {
    claim.trace = {&spans, parent};
    return claim;
  }
  std::vector<SpanRecord> named(const std::string& name) const {
    std::vector<SpanRecord> out;
    for (const SpanRecord& record : spans.records())
      if (record.name == name) out.push_back(record);
    return out;
  }
  Bytes bytes_of(const std::string& name) const {
    Bytes sum;
    for (const SpanRecord& record : named(name)) sum += record.bytes;
    return sum;
  }
};

}  // namespace

TEST_CASE("a claim that finds everything there tells nothing", "[memory][spans]") {
  Traced test;
  (void)*test.bench.memory.claim(slabs("7", {40}));
  CHECK(test.bench.memory.claim(test.traced(slabs("8", {40}))).ok());
  CHECK(test.spans.records().empty());
}

TEST_CASE("making slabs and loading are told apart, with bytes, within the claim's span", "[memory][spans]") {
  Traced test;
  Claim claim = slabs("7", {10, 20});
  claim.residents.push_back(resident("keys", 30, test.bench.loader));
  SpanId within;
  test.bench.loader->on_load = [&](const LoadCall& call) {
    within = call.span;
    test.bench.clock.advance(std::chrono::milliseconds(5));
    return Status();
  };
  REQUIRE(test.bench.memory.claim(test.traced(claim)).ok());
  REQUIRE(test.named("load").size() == 1);
  const SpanRecord load = test.named("load")[0];
  CHECK(load.id == within);  // the loader's own spans are part of it
  CHECK(load.parent == test.parent);
  CHECK(load.owner.job == "7");
  CHECK(load.duration() >= std::chrono::milliseconds(5));
  CHECK(test.named("make slab").size() == 2);
  CHECK(test.bytes_of("make slab") == Bytes(30));
  CHECK(test.named("wait for memory").empty());
}

TEST_CASE("waiting in the queue is one span, and what was evicted for the claim is another, with bytes",
          "[memory][spans]") {
  Traced test;
  (void)*test.bench.memory.claim(slabs("7", {30}));  // idle
  Granted running = *test.bench.memory.claim(bytes("8", 60));
  Claimant waits(test.bench.memory, test.traced(bytes("9", 80)));
  REQUIRE(waiting(test.bench.memory, 1));
  CHECK(test.named("wait for memory").empty());  // it is still running
  test.bench.clock.advance(std::chrono::seconds(2));
  running = {};
  REQUIRE(waits.result().ok());
  REQUIRE(test.named("wait for memory").size() == 1);
  CHECK(test.named("wait for memory")[0].duration() == std::chrono::seconds(2));
  REQUIRE(test.named("evict").size() == 1);
  CHECK(test.bytes_of("evict") == Bytes(30));
  CHECK(test.named("evict")[0].begin >= test.named("wait for memory")[0].end);
}

TEST_CASE("evicting a resident trims the heap within the eviction", "[memory][spans]") {
  Traced test;
  MemoryOptions options;
  options.evict_min_idle = Duration(0);
  Bench eager(Bytes(100), options);
  (void)*eager.memory.claim(use("7", resident("keys", 60, eager.loader)));
  REQUIRE(eager.memory.claim(test.traced(bytes("8", 50))).ok());
  REQUIRE(test.named("evict").size() == 1);
  REQUIRE(test.named("trim").size() == 1);
  CHECK(test.named("trim")[0].parent == test.named("evict")[0].id);
  CHECK(test.bytes_of("evict") == Bytes(60));
}

TEST_CASE("who finds a load under way waits for it, and that is a span of its own", "[memory][spans]") {
  Traced test;
  std::atomic<bool> go{false};
  test.bench.loader->on_load = [&](const LoadCall&) {
    while (!go) std::this_thread::yield();
    return Status();
  };
  Claimant first(test.bench.memory, use("7", resident("keys", 30, test.bench.loader)));
  REQUIRE(soon([&] { return test.bench.loader->loads == 1; }));
  Claimant second(test.bench.memory, test.traced(use("8", resident("keys", 30, test.bench.loader))));
  REQUIRE(soon([&] { return test.spans.running().size() == 2; }));  // the claim's own and the wait
  go = true;
  REQUIRE(first.result().ok());
  REQUIRE(second.result().ok());
  CHECK(test.named("wait for load").size() == 1);
  CHECK(test.named("load").empty());
}
