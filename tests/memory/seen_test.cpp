// What a device says of a slab, beside what its allocator states: shown for as long as the slab lives, logged once.
#include <catch2/catch.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;
using Catch::Contains;

namespace {

struct Pinned {
  explicit Pinned(SlabKind kind = SlabKind::pinned)
      : memory({}, {{SpaceId::host(), Bytes(100), {std::make_shared<FakeSource>("alloc-liar", kind)}}}, clock, log) {}
  Granted lend(std::uint64_t size = 40) { return *memory.claim(slabs("7", {size})); }
  SpaceStatus status() const { return memory.snapshot()[0]; }
  MemoryLog log;
  ManualClock clock;
  Memory memory;
};

}  // namespace

TEST_CASE("what nobody has looked at is not seen as anything", "[memory]") {
  Pinned host;
  const Granted granted = host.lend();
  granted.slabs[0].seen_by("device 0", SeenAs::unknown);
  CHECK(host.status().slabs[0].seen.empty());
  CHECK(host.status().holdings[0].seen.empty());
  CHECK(host.status().holdings[0].kind == "pinned");
}

TEST_CASE("a slab is shown as its device sees it, leased, idle and lent again", "[memory]") {
  Pinned host;
  {
    const Granted granted = host.lend();
    granted.slabs[0].seen_by("device 0", SeenAs::pageable);
    CHECK(host.status().holdings[0].seen == "pageable");
    CHECK(host.status().holdings[0].kind == "pinned");  // what it is charged as stays what was stated
    CHECK(host.status().pinned.used == Bytes(40));
  }
  CHECK(host.status().holdings[0].state == "idle");
  CHECK(host.status().holdings[0].seen == "pageable");
  const Granted again = host.lend();
  CHECK(host.status().slabs_reused == 1);
  CHECK(host.status().slabs[0].seen == "pageable");
  again.slabs[0].seen_by("device 1", SeenAs::pinned);
  CHECK(host.status().slabs[0].seen == "pinned");
}

TEST_CASE("an allocator whose pinned memory is not pinned is named once, with the device and what it costs",
          "[memory]") {
  Pinned host;
  for (int i = 0; i < 3; ++i) host.lend().slabs[0].seen_by("backend-x device 2 (fast)", SeenAs::pageable);
  REQUIRE(host.log.count(LogLevel::warn) == 1);
  CHECK_THAT(host.log.lines().back().text, Contains("allocator alloc-liar states pinned memory") &&
                                               Contains("backend-x device 2 (fast) sees pageable memory") &&
                                               Contains("staged"));
}

TEST_CASE("memory as stated, and ordinary memory that a device knows, are no fault", "[memory]") {
  Pinned pinned, heap(SlabKind::pageable);
  pinned.lend().slabs[0].seen_by("device 0", SeenAs::pinned);
  heap.lend().slabs[0].seen_by("device 0", SeenAs::pageable);
  heap.lend().slabs[0].seen_by("device 0", SeenAs::pinned);
  CHECK(heap.status().slabs[0].seen == "pinned");
  CHECK(pinned.log.count(LogLevel::warn) + heap.log.count(LogLevel::warn) == 0);
}

TEST_CASE("of no bytes, and of what was given back, nothing is noted", "[memory]") {
  Pinned host;
  Granted granted = host.lend(0);
  granted.slabs[0].seen_by("device 0", SeenAs::pageable);
  granted = host.lend();
  granted.slabs[0].reset();
  granted.slabs[0].seen_by("device 0", SeenAs::pageable);
  CHECK(host.status().slabs[0].seen.empty());
  CHECK(host.log.count(LogLevel::warn) == 0);
}
