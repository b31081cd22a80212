// Swapping the allocators of the pool while the host lives: what a comparison of two of them stands on.
#include <catch2/catch.hpp>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

struct TwoSources : Bench {
  std::shared_ptr<FakeSource> pinned = std::make_shared<FakeSource>("alloc-pinned", SlabKind::pinned);
};

}  // namespace

TEST_CASE("a swap gives idle slabs back to their makers, and later slabs come from the new one", "[memory]") {
  TwoSources bench;
  (void)*bench.memory.claim(slabs("1", {40}));
  CHECK(bench.memory.use({bench.pinned}) == Bytes(40));
  CHECK(bench.used() == Bytes());
  CHECK(bench.source->live() == Bytes());
  const Granted granted = *bench.memory.claim(slabs("2", {40}));
  CHECK(granted.slabs[0].kind() == SlabKind::pinned);
  CHECK(bench.pinned->live() == Bytes(40));
  CHECK(bench.status().fallback_uses == 0);
}

TEST_CASE("residents outlive a swap, and go back to who made their slab", "[memory]") {
  TwoSources bench;
  ResidentSpec spec = resident("keys", 10, bench.loader);
  spec.buffer = SlabNeed{Bytes(30), {}, {}, "keys"};
  (void)*bench.memory.claim(use("1", spec));
  CHECK(bench.memory.use({bench.pinned}) == Bytes());
  CHECK(bench.used() == Bytes(40));
  (void)*bench.memory.claim(use("2", spec));
  CHECK(bench.loader->loads == 1);
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(1)) == Bytes(40));
  CHECK(bench.source->released == std::vector{Bytes(30)});
  CHECK(bench.used() == Bytes());
}

TEST_CASE("a slab of the side before is not lent as the fallback of this one", "[memory]") {
  TwoSources bench;
  const auto lent = *bench.memory.claim(slabs("1", {40}));
  bench.memory.use({bench.pinned, bench.source});
  bench.pinned->failures = 1;
  const auto fallen_back = *bench.memory.claim(slabs("2", {40}));
  CHECK(fallen_back.slabs[0].kind() == SlabKind::pageable);
  CHECK(bench.status().fallback_uses == 1);
  bench.memory.use({bench.source});
  CHECK(bench.memory.use({bench.source, bench.pinned}) == Bytes());
}

TEST_CASE("a slab that ends after its allocator was swapped out is not lent again", "[memory]") {
  TwoSources bench;
  auto lent = *bench.memory.claim(slabs("1", {40}));
  bench.memory.use({bench.pinned});
  lent = {};
  CHECK(bench.status().idle == Bytes(40));
  const auto next = *bench.memory.claim(slabs("2", {40}));
  CHECK(next.slabs[0].kind() == SlabKind::pinned);
  CHECK(bench.memory.evict(SpaceId::host(), Bytes(40)) == Bytes(40));
  CHECK(bench.source->live() == Bytes());
}

TEST_CASE("who waits for what no allocator makes any more is refused at the swap, and stops nobody", "[memory]") {
  TwoSources bench;
  bench.memory.use({bench.pinned});
  std::optional<Granted> device = *bench.memory.claim(bytes("device", 50, 0, SpaceId::device(0)));
  std::optional<Granted> host = *bench.memory.claim(bytes("host", 90));
  Claim first = slabs("first", {10}, 1);
  first.slabs[0].kinds = SlabKinds{static_cast<std::uint32_t>(SlabKind::pinned)};
  first.bytes.push_back({SpaceId::device(0), Bytes(10), "arena"});
  Claimant pinned(bench.memory, first);
  REQUIRE(waiting(bench.memory, 1));
  Claimant behind(bench.memory, bytes("behind", 60));
  REQUIRE(waiting(bench.memory, 2));
  bench.memory.use({bench.source});
  REQUIRE(soon([&] { return pinned.done(); }));
  CHECK(pinned.result().status().code() == Code::unsupported);
  host.reset();
  CHECK(behind.result().ok());
}
