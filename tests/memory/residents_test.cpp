#include <catch2/catch.hpp>
#include <latch>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

TEST_CASE("a second claim finds the resident loaded, also after the first has ended", "[memory]") {
  Bench bench;
  (void)*bench.memory.claim(use("a", resident("keys", 30, bench.loader)));
  (void)*bench.memory.claim(use("b", resident("keys", 30, bench.loader)));
  CHECK(bench.loader->loads == 1);
  CHECK(bench.status().resident_hits == 1);
  REQUIRE(bench.status().residents.size() == 1);
  CHECK(bench.status().residents[0].idle.has_value());
  CHECK(bench.status().residents[0].users == 0);
}

TEST_CASE("the same id in two spaces is two residents", "[memory]") {
  Bench bench;
  Claim claim = use("a", resident("keys", 30, bench.loader));
  claim.residents.push_back(resident("keys", 20, bench.loader, SpaceId::device(0)));
  const Granted granted = *bench.memory.claim(claim);
  CHECK(bench.loader->loads == 2);
  CHECK(bench.used() == Bytes(30));
  CHECK(bench.memory.used(SpaceId::device(0)) == Bytes(20));
}

TEST_CASE("a resident named twice in one claim is charged and loaded once", "[memory]") {
  Bench bench;
  Claim claim = use("a", resident("keys", 60, bench.loader));
  claim.residents.push_back(claim.residents.front());
  const Granted granted = *bench.memory.claim(claim);
  CHECK(bench.loader->loads == 1);
  CHECK(granted.residents[1].handle() == granted.residents[0].handle());
  CHECK(bench.used() == Bytes(60));
}

TEST_CASE("residents load in order, and a later one sees the earlier ones", "[memory]") {
  Bench bench;
  auto device_loader = std::make_shared<FakeLoader>();
  device_loader->on_load = [&](const LoadCall& call) {
    CHECK(call.earlier.size() == 1);
    CHECK(call.earlier[0]->handle() == bench.loader.get());
    CHECK(call.owner.job == "a");
    return Status();
  };
  Claim claim = use("a", resident("keys", 30, bench.loader));
  claim.residents.push_back(resident("keys decoded", 20, device_loader, SpaceId::device(0)));
  CHECK(bench.memory.claim(claim).ok());
  CHECK(device_loader->loads == 1);
}

TEST_CASE("a load that fails leaves nothing charged and fails all who waited for it", "[memory]") {
  Bench bench;
  std::latch both_asked(1);
  bench.loader->on_load = [&](const LoadCall&) {
    both_asked.wait();
    return Status(Code::invalid_input, "truncated at byte 17");
  };
  ResidentSpec spec = resident("keys", 30, bench.loader);
  spec.buffer = SlabNeed{Bytes(20), {}, {}, "file"};
  spec.load_bytes.push_back({SpaceId::host(), Bytes(5), "while loading"});
  Claim claim = use("a", spec);
  claim.slabs.push_back({Bytes(10), {}, {}, "test"});
  Claimant a(bench.memory, claim);
  REQUIRE(soon([&] { return bench.loader->loads == 1; }));
  Claimant b(bench.memory, use("b", spec));
  REQUIRE(soon([&] { return bench.status().residents.at(0).users == 2; }));
  both_asked.count_down();
  for (Claimant* claimant : {&a, &b}) {
    CHECK(claimant->result().status().code() == Code::invalid_input);
    CHECK_THAT(claimant->result().status().message(), Catch::Contains("loading keys: truncated at byte 17"));
  }
  CHECK(bench.used() == Bytes());
  CHECK(bench.source->live() == Bytes());
  CHECK(bench.status().residents.empty());
  bench.loader->on_load = nullptr;
  CHECK(bench.memory.claim(use("c", spec)).ok());  // nothing remembers the failure
}

TEST_CASE("a loader that throws is a failed load", "[memory]") {
  Bench bench;
  bench.loader->on_load = [](const LoadCall&) -> Status { throw std::runtime_error("broken"); };
  const Status status = bench.memory.claim(use("a", resident("keys", 30, bench.loader))).status();
  CHECK(status.code() == Code::internal);
  CHECK_THAT(status.message(), Catch::Contains("broken") && Catch::Contains("loader-test"));
  CHECK(bench.used() == Bytes());
}

TEST_CASE("when a first load fails, a later one that others wait for is done all the same", "[memory]") {
  Bench bench;
  auto second = std::make_shared<FakeLoader>();
  std::latch other_asked(1);
  bench.loader->on_load = [&](const LoadCall&) {
    other_asked.wait();
    return Status(Code::invalid_input, "no");
  };
  Claim claim = use("a", resident("first", 10, bench.loader));
  claim.residents.push_back(resident("second", 10, second));
  claim.residents.push_back(resident("third", 10, std::make_shared<FakeLoader>()));
  Claimant a(bench.memory, claim);
  REQUIRE(soon([&] { return bench.loader->loads == 1; }));
  Claimant b(bench.memory, use("b", resident("second", 10, second)));
  REQUIRE(soon([&] {
    const SpaceStatus status = bench.status();
    return std::any_of(status.residents.begin(), status.residents.end(),
                       [](const ResidentStatus& r) { return r.id == "second" && r.users == 2; });
  }));
  other_asked.count_down();
  CHECK(b.result().ok());
  CHECK_FALSE(a.result().ok());
  CHECK(bench.used() == Bytes(10));
  CHECK(bench.status().residents.size() == 1);
}

TEST_CASE("a resident of a device that also costs host bytes frees both when it goes", "[memory]") {
  Bench bench;
  ResidentSpec spec = resident("keys", 30, bench.loader, SpaceId::device(0));
  spec.bytes.push_back({SpaceId::host(), Bytes(15), "mirror"});
  (void)*bench.memory.claim(use("a", spec));
  bench.clock.advance(std::chrono::minutes(6));
  CHECK(accounted(bench.status(0)) == Bytes(15));
  CHECK(accounted(bench.status(1)) == Bytes(30));
  const Granted granted = *bench.memory.claim(bytes("b", 90));  // host bytes are short: the device's resident goes
  CHECK(bench.loader->unloads == 1);
  CHECK(bench.memory.used(SpaceId::device(0)) == Bytes());
  CHECK(bench.used() == Bytes(90));
}

TEST_CASE("a claim's own residents are not evicted to make room for it", "[memory]") {
  Bench bench;
  (void)*bench.memory.claim(use("a", resident("keys", 60, bench.loader)));
  bench.clock.advance(std::chrono::hours(1));
  Claim claim = use("b", resident("keys", 60, bench.loader));
  claim.bytes.push_back({SpaceId::host(), Bytes(40), "test"});
  CHECK(bench.memory.claim(claim).ok());
  CHECK(bench.loader->loads == 1);
}

TEST_CASE("a resident in a slab too large for it gives way to the claim that needs both", "[memory]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("6", {90}));
  ResidentSpec keys = slab_resident("keys", 30, bench.loader);
  Claim first = use("7", keys);
  first.drops = false;  // takes the idle slab rather than drop it
  (void)*bench.memory.claim(first);
  REQUIRE(bench.used() == Bytes(90));
  Claim claim = use("8", keys);
  claim.bytes.push_back({SpaceId::host(), Bytes(50), "test"});
  const auto granted = at_once(bench.memory, claim);
  CHECK(granted.ok());
  CHECK(bench.loader->loads == 2);
  CHECK(bench.used() == Bytes(80));
}

TEST_CASE("a claim whose resident is in its way and could not be loaded again beside it is refused", "[memory]") {
  Bench bench;
  (void)*bench.memory.claim(slabs("6", {90}));
  ResidentSpec keys = slab_resident("keys", 30, bench.loader);
  keys.load_bytes.push_back({SpaceId::host(), Bytes(10), "while loading"});
  Claim first = use("7", keys);
  first.drops = false;
  (void)*bench.memory.claim(first);
  Claim claim = use("8", keys);
  claim.bytes.push_back({SpaceId::host(), Bytes(65), "test"});
  CHECK(at_once(bench.memory, claim).status().code() == Code::over_budget);
}

TEST_CASE("what a claim costs counts its loads, whether they are there or not, as long as that is possible",
          "[memory]") {
  Bench bench;
  const auto claim_loading = [&](std::uint64_t load) {
    ResidentSpec keys = resident("keys", 30, bench.loader);
    keys.load_bytes = {{SpaceId::host(), Bytes(load), "loading"}};
    return use("a", keys);
  };
  const auto cost = [&](std::uint64_t load) { return bench.memory.cost(claim_loading(load), SpaceId::host()); };
  CHECK(*cost(20) == Bytes(50));
  CHECK(cost(80).status().code() == Code::over_budget);
  REQUIRE(bench.memory.claim(claim_loading(20)).ok());
  CHECK(*cost(20) == Bytes(50));
  CHECK(*cost(80) == Bytes(30));
  CHECK(*bench.memory.cost(claim_loading(20), SpaceId::device(0)) == Bytes());
}
