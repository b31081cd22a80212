// The sector reader: real inputs read whole, and each fault of a table named at its field.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <pinion/plugin/error.hpp>
#include <pinion/post/derivation.hpp>
#include <pinion/post/vanilla.hpp>
#include <pinion/test/vectors.hpp>

using namespace pinion::filecoin;
using pinion::test::find_vector;

namespace {

const PostSetup window_2k = PostSetup::window(SectorSize::k2KiB, PostRule::by_sector);

std::uint64_t leaf_of(const MerklePath& path, unsigned arity) {
  std::uint64_t leaf = 0;
  for (std::size_t level = path.indices.size(); level-- > 0;) leaf = leaf * arity + path.indices[level];
  return leaf;
}

std::string fault(const std::vector<std::uint8_t>& bytes, const PostSetup& setup, unsigned openings) {
  try {
    read_post_sector(bytes, setup, openings, "sector-0.bin");
  } catch (const pinion::Error& e) {
    CHECK(e.code() == PINION_INVALID_INPUT);
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sectors of a WindowPoSt are read, and open the leaves they are asked for") {
  const auto folder = find_vector("cases/post-Window2KiBV1_2-seed3/sector-0.bin");
  if (!folder) return;
  const auto meta = pinion::test::read_json(folder->parent_path() / "meta.json");
  for (std::size_t i = 0; i < meta.at("sectors").size(); ++i) {
    const auto bytes = pinion::test::read_file(folder->parent_path() / ("sector-" + std::to_string(i) + ".bin"));
    const PostSector sector = read_post_sector(bytes, window_2k, 10, "sector");
    const auto& expected = meta.at("sectors")[i];
    CHECK(sector.sector_id == expected.at("sector_id"));
    CHECK(to_hex(sector.comm_r.to_bytes()) == expected.at("comm_r"));
    REQUIRE(sector.openings.size() == 10);
    for (std::size_t n = 0; n < 10; ++n) CHECK(leaf_of(sector.openings[n].path, 8) == expected.at("challenges")[n]);
  }
}

TEST_CASE("a WinningPoSt's one sector becomes 66 with one opening each") {
  const auto file = find_vector("cases/post-Winning2KiBV1-seed3/sector-0.bin");
  if (!file) return;
  const PostSetup setup = PostSetup::winning(SectorSize::k2KiB);
  const auto bytes = pinion::test::read_file(*file);
  const PostSector sector = read_post_sector(bytes, setup, PostSetup::winning_openings, "sector");
  const auto sectors = winning_partition(sector);
  REQUIRE(sectors.size() == 66);
  for (std::size_t i = 0; i < 66; ++i) {
    REQUIRE(sectors[i].openings.size() == 1);
    CHECK(sectors[i].openings[0].path.indices == sector.openings[i].path.indices);
  }
  CHECK(fault(bytes, setup, 10).find("66 inclusion proofs, 10 expected") != std::string::npos);
}

TEST_CASE("a short partition repeats its last sector") {
  PostSetup setup = window_2k;
  setup.sectors = 5;
  std::vector<PostSector> sectors(2, PostSector::blank(setup));
  sectors[0].sector_id = 1;
  sectors[1].sector_id = 2;
  const auto partition = window_partition(sectors, setup);
  REQUIRE(partition.size() == 5);
  CHECK((partition[0].sector_id == 1 && partition[1].sector_id == 2 && partition[4].sector_id == 2));
}

TEST_CASE("malformed sectors are refused with offset and field") {
  const auto file = find_vector("cases/post-Window2KiBV1_2-seed3/sector-0.bin");
  if (!file) return;
  const auto good = pinion::test::read_file(*file);
  REQUIRE(fault(good, window_2k, 10).empty());
  // Layout: sector_id 0, comm_r 8, sectors 40, inclusion_proofs 48; first opening: tag 56, root 60, leaf 92, levels
  // 124, first level's hashes 132.
  using Bytes = std::vector<std::uint8_t>;
  const std::size_t second = 56 + 4 + 64 + 8 + 2 * (8 + 7 * 32 + 8);
  const std::vector<std::pair<std::function<void(Bytes&)>, std::string>> table{
      {[](Bytes& b) { b.clear(); }, "sector-0.bin, byte 0: sector_id: 8 bytes are needed, the input ends after 0"},
      {[](Bytes& b) { b.resize(50); }, "byte 48: vanilla_proof.sectors[0].inclusion_proofs: 8 bytes are needed"},
      {[](Bytes& b) { b.pop_back(); }, "comm_r_last: 32 bytes are needed, the input ends after 31"},
      {[](Bytes& b) { b.push_back(0); }, "1 bytes follow where the input should end"},
      {[](Bytes& b) { b[39] = 0xff; }, "byte 8: comm_r: not a scalar"},
      {[](Bytes& b) { b[40] = 2; }, "byte 40: vanilla_proof.sectors: 2 sectors, 1 expected"},
      {[](Bytes& b) { b[55] = 0xff; }, "inclusion_proofs: 18374686479671623690 inclusion proofs, 10 expected"},
      {[](Bytes& b) { b[56] = 1; }, "inclusion_proofs[0]: variant 1, but this tree's proofs are of variant 0 (Single)"},
      {[](Bytes& b) { b[124] = 3; }, "byte 124: vanilla_proof.sectors[0].inclusion_proofs[0].path.path: 3 levels, 2"},
      {[](Bytes& b) { b[132] = 8; }, "inclusion_proofs[0].path[0].hashes: 8 hashes, 7 expected"},
      {[](Bytes& b) { b[140 + 31] = 0x80; }, "byte 140: vanilla_proof.sectors[0].inclusion_proofs[0].path[0].hashes"},
      {[](Bytes& b) { b[132 + 8 + 7 * 32] = 8; }, "inclusion_proofs[0].path[0]: index 8 in a level of arity 8"},
      {[=](Bytes& b) { b[second + 4] ^= 1; }, "inclusion_proofs[1]: its root is not that of the sector's first"},
      {[](Bytes& b) { b[b.size() - 32] ^= 1; }, "comm_r_last is not the root that the sector's openings lead to"},
  };
  for (const auto& [spoil, message] : table) {
    auto bytes = good;
    spoil(bytes);
    CAPTURE(message);
    CHECK_THAT(fault(bytes, window_2k, 10), Catch::Contains(message));
  }
  for (std::size_t length = 0; length < good.size(); length += 7)
    CHECK_FALSE(fault({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}, window_2k, 10).empty());
}
