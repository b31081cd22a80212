#include <pinion/snap/fake.hpp>
#include <pinion/snap/vanilla.hpp>
#include <pinion/test/vectors.hpp>
#include <pinion/test_fake/every_byte.hpp>

#include "small_setups.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("every byte of a partition that cannot be is refused at its field, and every length but the right one") {
  const UpdateHashes hashes;
  pinion::SerialExecutor executor;
  for (const auto& [name, setup] : small_update_setups) {
    INFO(name);
    const auto good = FakeUpdate(setup, 1, hashes, executor).partition(0);
    const auto read = [&setup = setup](const std::vector<std::uint8_t>& bytes) {
      read_update_partition(bytes, setup, "partition-0.bin");
    };
    // All scalars but two roots (which must agree with nothing), all lengths, tags and indices.
    CHECK(check_every_byte(good, read) > good.size() / 32);
    check_every_length(good, read);
    const auto corpus = std::filesystem::path(FUZZ_CORPUS) / (std::string(name) + ".bin");
    CHECK(pinion::test::read_file(corpus) == good);
  }
}
