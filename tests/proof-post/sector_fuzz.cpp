// Any bytes as a sector of a proof of spacetime, under each tree shape: accepted with the shape its circuit takes, or
// refused with INVALID_INPUT. The corpus is what FakePost makes of these setups with seed 1 (every_byte_test.cpp
// compares them).
#include <cstdlib>
#include <pinion/plugin/error.hpp>
#include <pinion/post/vanilla.hpp>

#include "small_setups.hpp"

using namespace pinion::filecoin;

namespace {

void require(bool held) {
  if (!held) std::abort();
}

void judge(ByteView bytes, const PostSetup& setup) try {
  const PostSector sector = read_post_sector(bytes, setup, test::small_openings, "input");
  require(sector.openings.size() == test::small_openings);
  for (const PostOpening& opening : sector.openings)
    require(fits(opening.path, level_arities(setup.tree, setup.nodes)));
} catch (const pinion::Error& error) {
  require(error.code() == PINION_INVALID_INPUT && error.what()[0] != '\0');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto& [name, setup] : test::small_post_setups) judge({data, size}, setup);
  return 0;
}
