// Claims that want something of different devices, and of the host they share.
#include <catch2/catch.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

// Of the host and of one of two devices.
Claim on_device(const std::string& owner, std::uint64_t host, std::uint32_t device, std::uint64_t arena,
                std::uint32_t priority = 0) {
  Claim claim = bytes(owner, host, priority);
  claim.bytes.push_back({SpaceId::device(device), Bytes(arena), "arena"});
  return claim;
}

struct TwoDevices {
  static MemoryOptions options() {
    MemoryOptions options;
    options.critical_priority = 9;
    options.max_overtakes = 2;
    return options;
  }
  ManualClock clock;
  MemoryLog log;
  Memory memory{
      options(),
      {{SpaceId::host(), Bytes(100), {}}, {SpaceId::device(0), Bytes(50), {}}, {SpaceId::device(1), Bytes(50), {}}},
      clock,
      log};
};

}  // namespace

TEST_CASE("who waits for a device keeps nobody from another, and is passed by nobody once there is room", "[memory]") {
  TwoDevices host;
  Memory& memory = host.memory;
  std::optional<Granted> slow = *memory.claim(on_device("slow", 10, 0, 40));
  Claimant next(memory, on_device("next", 60, 0, 40));
  REQUIRE(waiting(memory, 1));
  // However many: it is not overtaken, since it could not go without them.
  for (int i = 0; i < 5; ++i) CHECK(at_once(memory, on_device("fast", 30, 1, 40)).ok());
  std::optional<Granted> fast = *at_once(memory, on_device("fast", 50, 1, 20));
  Claimant host_only(memory, bytes("host only", 60));
  REQUIRE(waiting(memory, 2));  // before the next one comes, which would fit
  Claimant faster(memory, on_device("faster", 30, 1, 20));
  REQUIRE(waiting(memory, 3));
  CHECK(waiting(memory, 1, 1));
  slow.reset();  // now it is the host's memory that `next` waits for
  REQUIRE(waiting(memory, 3));
  Claimant small(memory, on_device("small", 1, 1, 1));
  REQUIRE(waiting(memory, 4));
  fast.reset();
  CHECK(next.result().ok());
  next.result() = Status(Code::internal, "given back");
  CHECK(host_only.result().ok());
  host_only.result() = Status(Code::internal, "given back");
  CHECK(faster.result().ok());
  CHECK(small.result().ok());
}

TEST_CASE("who is critical and waits for a device is not passed by others, who would fill the host", "[memory]") {
  TwoDevices host;
  Memory& memory = host.memory;
  std::optional<Granted> slow = *memory.claim(on_device("slow", 10, 0, 40));
  Claimant urgent(memory, on_device("urgent", 60, 0, 40, 9));
  REQUIRE(waiting(memory, 1));
  Claimant ordinary(memory, on_device("ordinary", 40, 1, 40));
  REQUIRE(waiting(memory, 2));
  CHECK(at_once(memory, on_device("urgent too", 10, 1, 10, 9)).ok());
  slow.reset();
  CHECK(urgent.result().ok());
  CHECK(ordinary.result().ok());
}

TEST_CASE("who could pass somebody himself is not passed because of him", "[memory]") {
  TwoDevices host;
  Memory& memory = host.memory;
  std::optional<Granted> slow = *memory.claim(on_device("slow", 10, 0, 40));
  std::optional<Granted> half = *memory.claim(bytes("half", 20, 0, SpaceId::device(1)));
  Claimant next(memory, on_device("next", 10, 0, 40));  // waits for the slow one
  REQUIRE(waiting(memory, 1));
  Claimant large(memory, on_device("large", 10, 1, 40));  // for the other device only
  REQUIRE(waiting(memory, 2));
  Claimant small(memory, bytes("small", 10, 0, SpaceId::device(1)));  // would fit, and starve it
  REQUIRE(waiting(memory, 2, 2));
  half.reset();
  CHECK(large.result().ok());
  CHECK(small.result().ok());
  slow.reset();
  CHECK(next.result().ok());
}

TEST_CASE("who may pass because of what is taken past the queue is woken", "[memory]") {
  TwoDevices host;
  Memory& memory = host.memory;
  const Granted half = *memory.claim(bytes("half", 50));
  Claimant first(memory, on_device("first", 60, 0, 20));
  REQUIRE(waiting(memory, 1));
  Claimant second(memory, on_device("second", 30, 1, 10));
  REQUIRE(waiting(memory, 2));  // since the first would fit once half is given back
  const Granted arena = *memory.try_claim(bytes("at work", 40, 0, SpaceId::device(0)));
  CHECK(soon([&] { return second.done(); }));
  CHECK_FALSE(first.done());
  first.cancel();
}

TEST_CASE("who waits to load what others have loaded meanwhile waits for its room no longer", "[memory]") {
  TwoDevices host;
  Memory& memory = host.memory;
  const auto loader = std::make_shared<FakeLoader>();
  ResidentSpec keys = resident("keys", 10, loader, SpaceId::device(0));
  keys.load_bytes.push_back({SpaceId::host(), Bytes(5), "loading"});
  const Granted half = *memory.claim(bytes("half", 50));
  Claimant first(memory, bytes("first", 60));
  REQUIRE(waiting(memory, 1));
  Claimant second(memory, use("second", keys));
  REQUIRE(waiting(memory, 2));
  const Granted at_work = *memory.try_claim(use("at work", keys));
  CHECK(soon([&] { return second.done(); }));
  CHECK(loader->loads == 1);
  CHECK_FALSE(first.done());
  first.cancel();
}
