// The partition reader: real inputs read whole, and each fault of a table named at its field.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <pinion/plugin/error.hpp>
#include <pinion/snap/vanilla.hpp>
#include <pinion/test/vectors.hpp>

using namespace pinion::filecoin;
using pinion::test::find_vector;

namespace {

std::string fault(const std::vector<std::uint8_t>& bytes, const UpdateSetup& setup) {
  try {
    read_update_partition(bytes, setup, "partition-0.bin");
  } catch (const pinion::Error& e) {
    CHECK(e.code() == PINION_INVALID_INPUT);
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("partitions of every tree shape are read whole") {
  const std::vector<std::pair<std::string, UpdateSetup>> cases{
      {"cases/snap-2KiB-seed11", UpdateSetup::of(SectorSize::k2KiB)},
      {"cases/snap-8MiB-seed21", UpdateSetup::of(SectorSize::k8MiB)},
      {"fake/snap-16KiB-seed1", UpdateSetup::of(512, {8, 8, 0})},
      {"fake/snap-32KiB-seed1", UpdateSetup::of(1024, {8, 8, 2})},
      {"fake/snap-512MiB-seed1", UpdateSetup::of(SectorSize::k512MiB)},
      {"fake/snap-32GiB-seed1", UpdateSetup::of(SectorSize::k32GiB)},
      {"fake/snap-64GiB-seed1", UpdateSetup::of(SectorSize::k64GiB)},
  };
  for (const auto& [folder, setup] : cases) {
    CAPTURE(folder);
    const auto file = find_vector(folder + "/partition-0.bin");
    if (!file) return;
    const UpdatePartition partition = read_update_partition(pinion::test::read_file(*file), setup, folder);
    const UpdatePartition blank = UpdatePartition::blank(setup);
    REQUIRE(partition.challenges.size() == blank.challenges.size());
    CHECK(partition.apex_leaves.size() == blank.apex_leaves.size());
    CHECK(partition.challenges[3].path_r_new.siblings.size() == blank.challenges[3].path_r_new.siblings.size());
    CHECK(partition.challenges[3].path_d_new.indices.size() == blank.challenges[3].path_d_new.indices.size());
    const auto meta = pinion::test::read_json(file->parent_path() / "meta.json");
    if (!meta.contains("root_r_new")) continue;
    CHECK(to_hex(partition.root_r_new.to_bytes()) == meta.at("root_r_new"));
    CHECK(to_hex(partition.root_r_old.to_bytes()) == meta.at("root_r_old"));
    CHECK(to_hex(partition.comm_c.to_bytes()) == meta.at("comm_c"));
  }
}

TEST_CASE("malformed partitions are refused with offset and field") {
  const auto file = find_vector("cases/snap-2KiB-seed11/partition-0.bin");
  if (!file) return;
  const UpdateSetup setup = UpdateSetup::of(SectorSize::k2KiB);
  const auto good = pinion::test::read_file(*file);
  REQUIRE(fault(good, setup).empty());
  using Bytes = std::vector<std::uint8_t>;
  // Layout: comm_c 0, apex_leafs 32 (8 of them), challenge_proofs 296; first r_old: tag 304, root 308, leaf 340, levels
  // 372; then d_new and r_new.
  const std::size_t opening_r = 4 + 64 + 8 + 2 * (8 + 7 * 32 + 8);
  const std::size_t opening_d = 4 + 64 + 8 + 6 * (8 + 32 + 8);
  const std::size_t challenge = 2 * opening_r + opening_d;
  const std::vector<std::pair<std::function<void(Bytes&)>, std::string>> table{
      {[](Bytes& b) { b.resize(10); }, "partition-0.bin, byte 0: comm_c: 32 bytes are needed, the input ends after 10"},
      {[](Bytes& b) { b[31] = 0xff; }, "byte 0: comm_c: not a scalar"},
      {[](Bytes& b) { b[32] = 128; }, "byte 32: apex_leafs: 128 leaves, 8 expected"},
      {[](Bytes& b) { b[40 + 3 * 32 + 31] = 0xff; }, "byte 136: apex_leafs[3].leaf: not a scalar"},
      {[](Bytes& b) { b[296] = 9; }, "byte 296: challenge_proofs: 9 challenges, 10 expected"},
      {[](Bytes& b) { b[303] = 1; }, "challenges, 10 expected"},
      {[](Bytes& b) { b[304] = 2; }, "challenge_proofs[0].proof_r_old: variant 2, but"},
      {[](Bytes& b) { b[372] = 0; }, "challenge_proofs[0].proof_r_old.path.path: 0 levels, 2 expected"},
      {[=](Bytes& b) { b[304 + opening_r + 68] = 5; }, "challenge_proofs[0].proof_d_new.path.path: 5 levels, 6"},
      {[=](Bytes& b) { b[304 + opening_r + 76] = 7; }, "challenge_proofs[0].proof_d_new.path[0].hashes: 7 hashes, 1"},
      {[=](Bytes& b) { b[304 + challenge + 4] ^= 1; }, "challenge_proofs[1].proof_r_old: its root is not that of"},
      {[=](Bytes& b) { b[304 + challenge + opening_r + opening_d + 4] ^= 1; }, "challenge_proofs[1].proof_r_new: its"},
      {[](Bytes& b) { b.push_back(7); }, "1 bytes follow where the input should end"},
  };
  for (const auto& [spoil, message] : table) {
    auto bytes = good;
    spoil(bytes);
    CAPTURE(message);
    CHECK_THAT(fault(bytes, setup), Catch::Contains(message));
  }
  for (std::size_t length = 0; length < good.size(); length += 31)
    CHECK_FALSE(fault({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}, setup).empty());
}
