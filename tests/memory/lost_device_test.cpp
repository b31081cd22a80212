// alloc-pinned when a device's context has died: what its driver keeps, and what goes on.
#include <array>
#include <cstring>
#include <pinion/host/memory/memory.hpp>

#include "allocator_plugin.hpp"

using namespace pinion::host;
using namespace pinion::host::test;
using Catch::Contains;

namespace {

const std::array<const char*, 2> kStrategies = {"register", "host-alloc"};

}  // namespace

TEST_CASE("a slab that the driver does not unlock is kept, with its bytes, and the device is named",
          "[memory][pinned]") {
  for (const char* strategy : kStrategies) {
    INFO(strategy);
    const FakeDriver driver;
    const OpenedAllocator allocator("alloc-pinned", pinned_options(strategy));
    const auto slab = allocator->allocate(mib(2), for_device(1));
    REQUIRE(slab.ok());
    static_cast<char*>(*slab)[5] = 'x';
    driver.kill(1, 999);
    const Status status = allocator->release(*slab, mib(2));
    CHECK(status.code() == Code::device_lost);
    CHECK_THAT(status.message(),
               Contains("device 1 (Fake 1") && Contains("CUDA error 999") && Contains("until the process ends"));
    CHECK(static_cast<char*>(*slab)[5] == 'x');  // still there
    CHECK(driver.locked() == 1);
    CHECK(driver.depth() == 0);
    driver.kill(1, 0);
    CHECK(allocator->release(*slab, mib(2)).ok());
    CHECK(driver.locked() == 0);
  }
}

TEST_CASE("slabs of a lost device stay on the books, are shown with it, and serve on; others come back",
          "[memory][pinned][stuck]") {
  for (const char* strategy : kStrategies) {
    INFO(strategy);
    const FakeDriver driver;
    const OpenedAllocator allocator("alloc-pinned", pinned_options(strategy));
    SteadyClock clock;
    MemoryLog log;
    Memory memory({}, {{SpaceId::host(), mib(64), {allocator.shared()}}}, clock, log);
    Claim claim;
    for (const unsigned device : {0u, 1u})
      claim.slabs.insert(claim.slabs.end(), 2, {mib(4), SlabKinds{2}, for_device(device), "test"});
    REQUIRE(memory.claim(claim).ok());
    driver.kill(0, 700);
    CHECK(memory.retire(for_device(0)) == Bytes());  // what the host does when a device is quarantined
    const SpaceStatus status = memory.snapshot()[0];
    CHECK(status.stuck == mib(8));
    CHECK(status.used == mib(16));
    CHECK(status.pinned.used == mib(16));
    CHECK(status.idle == mib(16));
    std::size_t named = 0;
    for (const SlabStatus& slab : status.slabs)
      named += slab.stuck.find("device 0 (Fake 0, GPU-11111111") != std::string::npos;
    CHECK(named == 2);
    CHECK(log.count(LogLevel::error) == 1);            // of the host, once for all slabs of the device
    CHECK(allocator.log.count(LogLevel::error) == 1);  // of the plugin
    // Work goes on with what is there, and everything that can come back does.
    Claim elsewhere;
    elsewhere.slabs.assign(4, {mib(4), SlabKinds{2}, {}, "test"});
    const auto granted = memory.claim(elsewhere);
    REQUIRE(granted.ok());
    std::vector<void*> kept;
    for (const Lease& lease : granted->slabs) {
      std::memset(lease.data(), 1, lease.bytes().count());
      if (driver.device_of(lease.data()) == 0) kept.push_back(lease.data());
    }
    CHECK(kept.size() == 2);
    CHECK(memory.used(SpaceId::host()) == mib(16));
    CHECK(memory.close().size() == 4);  // still lent
    driver.kill(0, 0);                  // the process ends
    for (void* slab : kept) CHECK(allocator->release(slab, mib(4)).ok());
  }
}

TEST_CASE("after a device's context died, slabs are locked through another one, and said so once", "[memory][pinned]") {
  for (const char* strategy : kStrategies) {
    INFO(strategy);
    const FakeDriver driver;
    const OpenedAllocator allocator("alloc-pinned", pinned_options(strategy));
    driver.kill(0, 700);
    for (const Placement& placement : {Placement{}, for_device(0), for_device(1)}) {
      const auto slab = allocator->allocate(kib(4), placement);
      REQUIRE(slab.ok());
      CHECK(driver.device_of(*slab) == 1);
      CHECK(allocator->release(*slab, kib(4)).ok());
    }
    CHECK(driver.locked() == 0);
    REQUIRE(allocator.log.count(LogLevel::error) == 1);
    CHECK_THAT(allocator.log.lines().back().text, Contains("device 0 (Fake 0") && Contains("context is dead"));
    driver.kill(1, 719);
    const Status status = allocator->allocate(kib(4), {}).status();
    CHECK(status.code() == Code::out_of_memory);
    CHECK_THAT(status.message(), Contains("CUDA is dead for this process") && Contains("fallback"));
    CHECK(driver.depth() == 0);
    CHECK(allocator.log.count(LogLevel::error) == 2);  // one for each device
  }
}

TEST_CASE("a slab that a dead context cannot unlock is said once for its device", "[memory][pinned]") {
  const FakeDriver driver;
  const OpenedAllocator allocator("alloc-pinned", pinned_options("register"));
  const auto first = allocator->allocate(kib(4), for_device(1)), second = allocator->allocate(kib(4), for_device(1));
  REQUIRE((first.ok() && second.ok()));
  driver.kill(1, 700);
  CHECK(allocator->release(*first, kib(4)).code() == Code::device_lost);
  CHECK(allocator->release(*second, kib(4)).code() == Code::device_lost);
  REQUIRE(allocator.log.count(LogLevel::error) == 1);
  CHECK_THAT(allocator.log.lines().back().text, Contains("comes back to the system when this process ends"));
}
