// Claims that want something of different devices, and of the host they share.
#include <catch2/catch.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

// Of the host and of one of two devices.
Claim on_device(const std::string& owner, std::uint64_t host, std::uint32_t device, std::uint64_t arena,
                int priority = 0) {
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
