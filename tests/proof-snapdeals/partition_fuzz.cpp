// Any bytes as a SnapDeals partition, under each tree shape: accepted with the shape its circuit takes, or refused with
// INVALID_INPUT. The corpus is what FakeUpdate makes of these setups with seed 1 (every_byte_test.cpp compares them).
#include <cstdlib>
#include <pinion/plugin/error.hpp>
#include <pinion/snap/vanilla.hpp>

#include "small_setups.hpp"

using namespace pinion::filecoin;

namespace {

void require(bool held) {
  if (!held) std::abort();
}

void judge(ByteView bytes, const UpdateSetup& setup) try {
  const UpdatePartition partition = read_update_partition(bytes, setup, "input");
  require(partition.apex_leaves.size() == setup.apex_leaves && partition.challenges.size() == setup.challenges);
  for (const UpdateChallenge& challenge : partition.challenges) {
    require(fits(challenge.path_r_old, level_arities(setup.tree, setup.nodes)));
    require(fits(challenge.path_r_new, level_arities(setup.tree, setup.nodes)));
    require(fits(challenge.path_d_new, binary_level_arities(setup.nodes)));
  }
} catch (const pinion::Error& error) {
  require(error.code() == PINION_INVALID_INPUT && error.what()[0] != '\0');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto& [name, setup] : test::small_update_setups) judge({data, size}, setup);
  return 0;
}
