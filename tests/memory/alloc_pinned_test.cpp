// alloc-pinned on a driver that the test commands: which device, which context, and what becomes of refusals.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <map>
#include <pinion/host/memory/memory.hpp>
#include <sstream>

#include "allocator_plugin.hpp"

using namespace pinion::host;
using namespace pinion::host::test;
using Catch::Contains;

namespace {

const std::array<const char*, 2> kStrategies = {"register", "host-alloc"};

// Sanitizers map memory of their own, and make mlock a word without deed.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

std::string lock_function(const std::string& strategy) {
  return strategy == "register" ? "cuMemHostRegister" : "cuMemHostAlloc";
}

std::size_t mappings() {
  std::ifstream in("/proc/self/maps");
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line);) ++lines;
  return lines;
}

}  // namespace

TEST_CASE("without a driver alloc-pinned refuses to start, with the reason and the way out", "[memory][pinned]") {
  const OpenedAllocator allocator("alloc-pinned", "driver = \"libnot-there.so.1\"");
  CHECK(allocator.status().code() == Code::unsupported);
  CHECK_THAT(allocator.status().message(),
             Contains("no CUDA driver") && Contains("libnot-there.so.1") && Contains("mlock"));
}

TEST_CASE("a driver without devices, one that does not start and one too old are refused", "[memory][pinned]") {
  {
    const FakeDriver driver(0);
    const OpenedAllocator allocator("alloc-pinned", pinned_options("register"));
    CHECK_THAT(allocator.status().message(), Contains("shows no device"));
  }
  {
    const FakeDriver driver;
    driver.refuse("cuInit", 0, 803);
    const OpenedAllocator allocator("alloc-pinned", pinned_options("register"));
    CHECK_THAT(allocator.status().message(), Contains("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"));
  }
  const OpenedAllocator allocator("alloc-pinned", "driver = \"libm.so.6\"");
  CHECK_THAT(allocator.status().message(), Contains("has no cuInit"));
}

TEST_CASE("a slab is locked through the device it is for, and no other gets a context", "[memory][pinned]") {
  for (const char* strategy : kStrategies) {
    INFO(strategy);
    const FakeDriver driver;
    {
      const OpenedAllocator allocator("alloc-pinned", pinned_options(strategy));
      CHECK(driver.retained(0) + driver.retained(1) == 0);  // opening makes none
      const auto slab = allocator->allocate(mib(4), for_device(1));
      REQUIRE(slab.ok());
      CHECK(driver.device_of(*slab) == 1);
      CHECK(driver.retained(0) == 0);
      CHECK(driver.retained(1) == 1);
      const auto second = allocator->allocate(mib(4), for_device(1));
      REQUIRE(second.ok());
      CHECK(driver.retained(1) == 1);
      CHECK(allocator->release(*slab, mib(4)).ok());
      CHECK(allocator->release(*second, mib(4)).ok());
      CHECK(driver.locked() == 0);
      CHECK(driver.depth() == 0);
      CHECK(allocator.log.count(LogLevel::error) == 0);
    }
    CHECK(driver.retained(1) == 0);
  }
}

TEST_CASE("a device that the driver does not show is refused, and nothing is made", "[memory][pinned]") {
  const FakeDriver driver;
  const OpenedAllocator allocator("alloc-pinned", pinned_options("register"));
  const Status status = allocator->allocate(mib(4), for_device(7)).status();
  CHECK(status.code() == Code::unsupported);
  CHECK_THAT(status.message(),
             Contains("GPU-88888888-8888-") && Contains("Fake 0") && Contains("CUDA_VISIBLE_DEVICES"));
  CHECK(driver.retained(0) + driver.retained(1) == 0);
}

TEST_CASE("a slab for nobody goes to the wanted device, else to one in use, else to the first", "[memory][pinned]") {
  const auto device_with = [](const FakeDriver& driver, const std::string& wanted) {
    const OpenedAllocator allocator("alloc-pinned", pinned_options("register", "device = \"" + wanted + "\"\n"));
    const auto slab = allocator->allocate(kib(4), {});
    REQUIRE(slab.ok());
    const int device = driver.device_of(*slab);
    CHECK(allocator->release(*slab, kib(4)).ok());
    return device;
  };
  const FakeDriver driver;
  CHECK(device_with(driver, "auto") == 0);
  driver.activate(1);
  CHECK(device_with(driver, "auto") == 1);
  CHECK(device_with(driver, "0") == 0);
  CHECK(device_with(driver, "GPU-22222222-2222-2222-2222-222222222222") == 1);
  CHECK(device_with(driver, "0000:F1:00.0") == 1);
  const OpenedAllocator wrong("alloc-pinned", pinned_options("register", "device = \"2\"\n"));
  CHECK(wrong.status().code() == Code::invalid_config);
  CHECK_THAT(wrong.status().message(), Contains("device 0 (Fake 0") && Contains("device 1 (Fake 1"));
}

TEST_CASE("a refusal says that it is host memory, keeps nothing and leaves nothing pending", "[memory][pinned]") {
  for (const char* strategy : kStrategies) {
    INFO(strategy);
    const FakeDriver driver;
    const OpenedAllocator allocator("alloc-pinned", pinned_options(strategy));
    REQUIRE(allocator->self_test().ok());
    const std::size_t before = mappings();
    driver.refuse(lock_function(strategy).c_str(), 0, 2);
    const Status status = allocator->allocate(mib(32), {}).status();
    CHECK(status.code() == Code::out_of_memory);
    CHECK_THAT(status.message(), Contains("33554432 bytes of host memory (not the device's)") &&
                                     Contains("CUDA_ERROR_OUT_OF_MEMORY (out of memory)") &&
                                     Contains("RLIMIT_MEMLOCK") && Contains("fallback = \"alloc-heap\"") &&
                                     Contains("Fake 0"));
    CHECK(driver.locked() == 0);
    CHECK(driver.depth() == 0);  // the driver's interface has no pending error; a context left current would be one
    if (!kSanitized) CHECK(mappings() <= before + 1);
    CHECK(allocator->self_test().ok());
  }
}

TEST_CASE("a context that cannot be made fails one slab and is tried again", "[memory][pinned]") {
  const FakeDriver driver;
  const OpenedAllocator allocator("alloc-pinned", pinned_options("host-alloc"));
  driver.refuse("cuDevicePrimaryCtxRetain", 0, 2);
  CHECK_THAT(allocator->allocate(kib(4), {}).status().message(), Contains("a context on device 0"));
  CHECK(allocator->self_test().ok());
}

TEST_CASE("of a claim's three slabs the third is refused: the others go back to the pool, unlocked on eviction",
          "[memory][pinned]") {
  const FakeDriver driver;
  const OpenedAllocator allocator("alloc-pinned", pinned_options("register"));
  SteadyClock clock;
  MemoryLog log;
  Memory memory({}, {{SpaceId::host(), mib(64), {allocator.shared()}}}, clock, log);
  Claim claim;
  claim.slabs.assign(3, {mib(4), SlabKinds{2}, for_device(1), "test"});
  driver.refuse("cuMemHostRegister", 2, 2);
  const Status status = memory.claim(claim).status();
  CHECK(status.code() == Code::out_of_memory);
  CHECK_THAT(status.message(), Contains("alloc-pinned") && Contains("4194304 bytes"));
  CHECK(memory.holdings().empty());
  CHECK(memory.used(SpaceId::host()) == mib(8));  // two idle slabs
  CHECK(driver.locked() == 2);
  CHECK(memory.claim(claim).ok());
  memory.close();
  CHECK(driver.locked() == 0);
  CHECK(memory.used(SpaceId::host()) == Bytes());
}

TEST_CASE("explicit huge pages come from the pool, and without one the key to change is named", "[memory][pinned]") {
  const FakeDriver driver;
  const OpenedAllocator allocator("alloc-pinned", pinned_options("register", "huge_pages = \"explicit\"\n"));
  CHECK(allocator->describe().granularity == mib(2));
  std::uint64_t free_pages = 0;
  std::ifstream("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages") >> free_pages;
  const Status status = allocator->allocate(mib(2) * (free_pages + 1), {}).status();
  CHECK(status.code() == Code::out_of_memory);
  CHECK_THAT(status.message(), Contains("vm.nr_hugepages"));
  if (free_pages > 0) CHECK(allocator->self_test().ok());
}

TEST_CASE("mlock keeps a slab in memory and says that devices do not know it", "[memory][pinned]") {
  const auto locked = [] {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("VmLck:")) return std::stoull(line.substr(6));
    return 0ULL;
  };
  const OpenedAllocator allocator("alloc-pinned", "strategy = \"mlock\"");
  REQUIRE(allocator.log.count(LogLevel::warn) == 1);
  CHECK_THAT(allocator.log.lines().front().text, Contains("no device knows"));
  const auto before = locked();
  const auto slab = allocator->allocate(mib(4), {});
  REQUIRE(slab.ok());
  if (!kSanitized) CHECK(locked() == before + 4096);
  CHECK(allocator->release(*slab, mib(4)).ok());
  CHECK(locked() == before);
}

// In a child process, which gives up the right to pass the limit.
TEST_CASE("RLIMIT_MEMLOCK is checked before mlock, with what to change", "[memory][pinned]") {
  const OpenedAllocator allocator("alloc-pinned", "strategy = \"mlock\"");
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{1 << 20, 1 << 20};
    const bool ready = ::setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && (::getuid() != 0 || ::setuid(65534) == 0);
    const std::string text = ready ? allocator->allocate(mib(4), {}).status().message() : "cannot lower the limit";
    (void)!::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], text.data(), text.size()))));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  CHECK_THAT(text, Contains("mlock of 4194304 bytes") && Contains("RLIMIT_MEMLOCK is 1048576 bytes") &&
                       Contains("LimitMEMLOCK=infinity") && Contains("ulimit -l"));
}
