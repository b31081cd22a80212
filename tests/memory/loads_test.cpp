// Loads that several jobs wait for, when some of those jobs are cancelled meanwhile.
#include <catch2/catch.hpp>
#include <latch>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

TEST_CASE("a cancelled job does not take its load away from others", "[memory]") {
  Bench bench;
  std::latch finish(1);
  std::atomic<bool> told_to_stop{false};
  bench.loader->on_load = [&](const LoadCall& call) {
    finish.wait();
    told_to_stop = call.stop.stop_requested();
    return Status();
  };
  Claimant a(bench.memory, use("a", resident("keys", 30, bench.loader)));
  REQUIRE(soon([&] { return bench.loader->loads == 1; }));
  Claimant b(bench.memory, use("b", resident("keys", 30, bench.loader)));
  REQUIRE(soon([&] { return bench.status().residents.at(0).users == 2; }));
  a.cancel();
  finish.count_down();
  CHECK(b.result().ok());
  CHECK_FALSE(told_to_stop);
}

TEST_CASE("a load nobody waits for any more is told to stop", "[memory]") {
  for (const bool second_waits : {false, true}) {
    Bench bench;
    bench.loader->on_load = [&](const LoadCall& call) {
      return soon([&] { return call.stop.stop_requested(); }) ? Status(Code::cancelled, "stopped") : Status();
    };
    Claimant a(bench.memory, use("a", resident("keys", 30, bench.loader)));
    REQUIRE(soon([&] { return bench.loader->loads == 1; }));
    if (second_waits) {
      Claimant b(bench.memory, use("b", resident("keys", 30, bench.loader)));
      REQUIRE(soon([&] { return bench.status().residents.at(0).users == 2; }));
      a.cancel();
      b.cancel();
      CHECK(b.result().status().code() == Code::cancelled);
    }
    a.cancel();
    CHECK(a.result().status().code() == Code::cancelled);
    CHECK(bench.used() == Bytes());
  }
}

TEST_CASE("who asks for a resident whose load was given up has it loaded anew", "[memory]") {
  for (const bool listens : {true, false}) {
    Bench bench;
    std::latch finish(1);
    std::atomic<bool> told_to_stop{false};
    bench.loader->on_load = [&](const LoadCall& call) {
      if (bench.loader->loads > 1) return Status();
      told_to_stop = soon([&] { return call.stop.stop_requested(); });
      finish.wait();
      return listens ? Status(Code::cancelled, "stopped") : Status();
    };
    Claimant a(bench.memory, use("a", resident("keys", 30, bench.loader)));
    REQUIRE(soon([&] { return bench.loader->loads == 1; }));
    a.cancel();
    const auto b = at_once(bench.memory, use("b", resident("keys", 30, bench.loader)));
    CHECK(b.ok());
    CHECK(bench.used() == Bytes(60));  // the first is charged until it is gone
    CHECK(accounted(bench.status()) == Bytes(60));
    finish.count_down();
    CHECK(a.result().status().code() == Code::cancelled);
    CHECK(told_to_stop);
    CHECK(bench.used() == Bytes(30));
    CHECK(bench.loader->loaded == 1);
    CHECK(bench.status().residents.size() == 1);
  }
}

namespace {

// Claim c loads the keys; a and b want what is made from them, and a would load it. a is cancelled.
struct Chain {
  Chain() {
    keys->on_load = [this](const LoadCall&) {
      finish.wait();
      return Status();
    };
    decoded->on_load = [this](const LoadCall& call) {
      made_from_keys = call.earlier.size() == 1 && call.earlier[0]->handle() == keys.get();
      return Status();
    };
  }
  Claim both(const char* owner) const {
    Claim claim = use(owner, resident("keys", 30, keys));
    claim.residents.push_back(resident("decoded", 20, decoded));
    return claim;
  }
  bool users(const std::string& id, unsigned count) const {
    return soon([&] {
      const SpaceStatus status = bench.status();
      return std::any_of(status.residents.begin(), status.residents.end(),
                         [&](const ResidentStatus& one) { return one.id == id && one.users == count; });
    });
  }
  Bench bench;
  std::latch finish{1};
  std::shared_ptr<FakeLoader> keys = std::make_shared<FakeLoader>();
  std::shared_ptr<FakeLoader> decoded = std::make_shared<FakeLoader>();
  std::atomic<bool> made_from_keys{false};
};

}  // namespace

TEST_CASE("what a cancelled job would have loaded is loaded for others once what it is made from is there",
          "[memory]") {
  Chain chain;
  Claimant c(chain.bench.memory, use("c", resident("keys", 30, chain.keys)));
  REQUIRE(chain.users("keys", 1));
  Claimant a(chain.bench.memory, chain.both("a"));
  REQUIRE(chain.users("decoded", 1));
  Claimant b(chain.bench.memory, chain.both("b"));
  REQUIRE(chain.users("decoded", 2));
  a.cancel();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(chain.decoded->loads == 0);
  chain.finish.count_down();
  CHECK(b.result().ok());
  CHECK(a.result().status().code() == Code::cancelled);
  CHECK(chain.decoded->loads == 1);
  CHECK(chain.made_from_keys);
}

TEST_CASE("a cancelled job does not wait to load for others who are cancelled too", "[memory]") {
  Chain chain;
  Claimant c(chain.bench.memory, use("c", resident("keys", 30, chain.keys)));
  REQUIRE(chain.users("keys", 1));
  Claimant a(chain.bench.memory, chain.both("a"));
  REQUIRE(chain.users("decoded", 1));
  Claimant b(chain.bench.memory, chain.both("b"));
  REQUIRE(chain.users("decoded", 2));
  a.cancel();
  b.cancel();
  CHECK(b.result().status().code() == Code::cancelled);
  CHECK(a.result().status().code() == Code::cancelled);
  CHECK(chain.decoded->loads == 0);
  chain.finish.count_down();
  CHECK(c.result().ok());
  CHECK(chain.bench.used() == Bytes(30));
}

TEST_CASE("who waits for what a cancelled job would have made of something it lost makes it of his own", "[memory]") {
  for (const bool waits : {true, false}) {
    Chain chain;
    chain.keys->on_load = [&](const LoadCall&) {
      if (chain.keys->loads > 1) return Status();
      chain.finish.wait();
      return Status(Code::cancelled, "stopped");
    };
    Memory& memory = chain.bench.memory;
    Claimant a(memory, chain.both("a"));
    REQUIRE(chain.users("decoded", 1));
    a.cancel();
    REQUIRE(soon([&] {  // its keys are given up and nobody's any more; what it would make of them is not
      const auto there = chain.bench.status().residents;
      return there.size() == 2 && there[0].id == "decoded";
    }));
    Result<Granted> got = Status(Code::internal, "not run");
    std::jthread b([&] { got = waits ? memory.claim(chain.both("b")) : memory.try_claim(chain.both("b")); });
    REQUIRE(chain.users("decoded", 2));
    chain.finish.count_down();
    b.join();
    INFO(got.status().text());
    CHECK(got.ok());
    CHECK(a.result().status().code() == Code::cancelled);
    CHECK(chain.made_from_keys);
    CHECK(chain.keys->loads == 2);
    CHECK(chain.decoded->loads == 1);
    CHECK(chain.bench.used() == Bytes(50));
  }
}
