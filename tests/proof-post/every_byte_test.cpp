#include <pinion/post/circuit/synthesis.hpp>
#include <pinion/post/fake.hpp>
#include <pinion/post/vanilla.hpp>
#include <pinion/test/vectors.hpp>
#include <pinion/test_fake/every_byte.hpp>

#include "small_setups.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("every byte of a sector that cannot be is refused at its field, and every length but the right one") {
  const auto hashes = post_hashes();
  pinion::SerialExecutor executor;
  for (const auto& [name, setup] : small_post_setups) {
    INFO(name);
    const auto good = FakePost(setup, 1, hashes).sector(0, small_openings, executor).bincode;
    const auto read = [&setup = setup](const std::vector<std::uint8_t>& bytes) {
      read_post_sector(bytes, setup, small_openings, "sector-0.bin");
    };
    CHECK(check_every_byte(good, read) > good.size() / 32);
    check_every_length(good, read);
    const auto corpus = std::filesystem::path(FUZZ_CORPUS) / (std::string(name) + ".bin");
    CHECK(pinion::test::read_file(corpus) == good);
  }
}
