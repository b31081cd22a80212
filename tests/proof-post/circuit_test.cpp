#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/post/circuit/synthesis.hpp>
#include <pinion/test/vectors.hpp>
#include <pinion/test_circuit/circuit_checks.hpp>
#include <pinion/test_circuit/witness_checks.hpp>

using namespace pinion;
using namespace pinion::filecoin;

namespace {

groth16::OwnedShape check_rows(const std::string& name, const PostSetup& setup) {
  CAPTURE(name);
  SerialExecutor executor;
  return test::check_circuit(
      name, [&](circuit::RowObserver* observer) { return record_post(setup, post_hashes(), executor, observer); });
}

groth16::OwnedShape record(const PostSetup& setup) {
  SerialExecutor executor;
  return groth16::build(record_post(setup, post_hashes(), executor), executor);
}

// Partition k of a case that `sectors` of it belong to.
void check_witness(const std::string& folder, const PostSetup& setup, const groth16::Shape& shape, unsigned k,
                   const std::vector<PostSector>& sectors) {
  test::check_witness_of(folder, k, shape, [&](const circuit::WitnessWriter::Buffers& buffers, Executor& executor) {
    write_post_witness(setup, post_hashes(), sectors, circuit::end_of(shape), buffers, executor);
  });
}

void check_winning(const std::string& folder, const PostSetup& setup) {
  const auto file = test::find_vector(folder + "/sector-0.bin");
  if (!file) return;
  const auto sector = read_post_sector(test::read_file(*file), setup, PostSetup::winning_openings, "sector-0.bin");
  check_witness(folder, setup, *record(setup), 0, winning_partition(sector));
}

void check_window(const std::string& folder, const PostSetup& setup) {
  const auto meta = test::find_vector(folder + "/meta.json");
  if (!meta) return;
  std::vector<PostSector> all;
  for (std::filesystem::path file;
       exists(file = meta->parent_path() / ("sector-" + std::to_string(all.size()) + ".bin"));)
    all.push_back(read_post_sector(test::read_file(file), setup, setup.challenges, file.filename()));
  REQUIRE_FALSE(all.empty());
  const auto shape = record(setup);
  for (unsigned k = 0; k * setup.sectors < all.size(); ++k) {
    const auto begin = all.begin() + k * setup.sectors;
    const auto end = all.begin() + std::min<std::ptrdiff_t>((k + 1) * setup.sectors, std::ssize(all));
    check_witness(folder, setup, *shape, k, window_partition({begin, end}, setup));
  }
}

}  // namespace

TEST_CASE("the circuits of spacetime are the reference's, row by row") {
  for (const SectorSize size : sector_sizes)
    check_rows("winning-" + std::string(sector_name(size)), PostSetup::winning(size));
  for (const SectorSize size : {SectorSize::k2KiB, SectorSize::k8MiB, SectorSize::k512MiB})
    check_rows("window-" + std::string(sector_name(size)), PostSetup::window(size, PostRule::by_sector));
  for (const SectorSize size : {SectorSize::k32GiB, SectorSize::k64GiB})
    check_rows("window-1-" + std::string(sector_name(size)),
               PostSetup::window(sector_nodes(size), tree_shape(size), 1, PostRule::by_sector));
}

TEST_CASE("witnesses of WinningPoSt are the reference's, value by value") {
  check_winning("cases/post-Winning2KiBV1-seed3", PostSetup::winning(SectorSize::k2KiB));
  check_winning("fake/winning-16KiB-seed1", PostSetup::winning(512, {8, 8, 0}));
  check_winning("fake/winning-32KiB-seed1", PostSetup::winning(1024, {8, 8, 2}));
  check_winning("fake/winning-32GiB-seed1", PostSetup::winning(SectorSize::k32GiB));
  check_winning("fake/winning-64GiB-seed1", PostSetup::winning(SectorSize::k64GiB));
}

TEST_CASE("witnesses of WindowPoSt are the reference's, short partitions and later ones too") {
  check_window("cases/post-Window2KiBV1-seed3", PostSetup::window(SectorSize::k2KiB, PostRule::by_position));
  check_window("cases/post-Window2KiBV1_2-seed3", PostSetup::window(SectorSize::k2KiB, PostRule::by_sector));
  check_window("fake/window-16KiB-V1_2-seed1", PostSetup::window(512, {8, 8, 0}, 2, PostRule::by_sector));
  check_window("fake/window-32KiB-V1_2-seed1", PostSetup::window(1024, {8, 8, 2}, 2, PostRule::by_sector));
}
