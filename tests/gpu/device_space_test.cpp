// Blocks of device memory: where they lie, what comes back, what is said when there is no room.
#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <pinion/backend_cuda/device_space.hpp>
#include <pinion/plugin/error.hpp>
#include <random>

using namespace pinion;
using backend_cuda::DeviceBlock;
using backend_cuda::DeviceSpace;
using End = DeviceSpace::End;

TEST_CASE("residents lie at the low end, arenas at the high end, and all of it comes back") {
  DeviceSpace space("a device", 1 << 20);
  {
    const DeviceBlock low = space.take(1000, End::low, "keys"), high = space.take(1, End::high, "a proof");
    CHECK(low.size() == 1024);
    CHECK(high.data() - low.data() == (1 << 20) - 256);
    const DeviceBlock rest = space.take((1 << 20) - 1024 - 256, End::low, "the rest");
    CHECK_THROWS_WITH(space.take(1, End::low, "more"), Catch::StartsWith("a device: 0.00 GiB for more: "));
  }
  CHECK(space.take(1 << 20, End::high, "all").size() == 1 << 20);
}

TEST_CASE("blocks never overlap, whatever the order of taking and giving back") {
  constexpr std::size_t capacity = 1 << 16;
  DeviceSpace space("a device", capacity);
  const DeviceBlock probe = space.take(1, End::low, "a probe");
  std::mt19937 random(7);
  std::vector<std::optional<DeviceBlock>> blocks(40);
  std::vector<int> owner(capacity, -1);
  for (int step = 0; step < 3000; ++step) {
    const std::size_t i = random() % blocks.size();
    const auto mark = [&](int from, int to) {
      const auto at = static_cast<std::size_t>(blocks[i]->data() - probe.data());
      const auto first = owner.begin() + static_cast<std::ptrdiff_t>(at);
      const auto last = first + static_cast<std::ptrdiff_t>(blocks[i]->size());
      REQUIRE(std::count(first, last, from) == last - first);
      std::fill(first, last, to);
    };
    if (blocks[i]) {
      mark(static_cast<int>(i), -1);
      blocks[i].reset();
      continue;
    }
    try {
      blocks[i] = space.take(random() % 4000, random() % 2 == 0 ? End::low : End::high, "a block");
    } catch (const Error& error) {
      REQUIRE(error.code() == PINION_OUT_OF_MEMORY);
      continue;
    }
    mark(-1, static_cast<int>(i));
  }
  blocks.clear();
  CHECK(space.take(capacity - 256, End::high, "all the rest").size() == capacity - 256);
}
