#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/snap/circuit/synthesis.hpp>
#include <pinion/test/vectors.hpp>
#include <pinion/test_circuit/circuit_checks.hpp>
#include <pinion/test_circuit/gadget_vectors.hpp>
#include <pinion/test_circuit/witness_checks.hpp>

using namespace pinion;
using namespace pinion::filecoin;

namespace {

groth16::OwnedShape check_rows(SectorSize size) {
  const UpdateHashes hashes;
  SerialExecutor executor;
  return test::check_circuit("snap-" + std::string(sector_name(size)), [&](circuit::RowObserver* observer) {
    return record_update(UpdateSetup::of(size), hashes, executor, observer);
  });
}

// Every partition of the case that the reference noted a witness of.
void check_witnesses(const std::string& folder, const UpdateSetup& setup, const groth16::Shape& shape) {
  const auto path = test::find_vector(folder + "/meta.json");
  if (!path) return;
  const UpdateHashes hashes;
  const auto meta = test::read_json(*path);
  const auto scalar = [&](const char* key) { return test::fr_from_hex(meta.at(key).get<std::string>()); };
  const UpdateStatement statement{scalar("comm_r_old"), scalar("comm_d_new"), scalar("comm_r_new")};
  for (unsigned k = 0; k < setup.partitions; ++k) {
    const auto input = path->parent_path() / ("partition-" + std::to_string(k) + ".bin");
    if (!test::has_witness(folder, k) || !exists(input)) continue;
    const UpdatePartition partition = read_update_partition(test::read_file(input), setup, input.filename());
    test::check_witness_of(folder, k, shape, [&](const circuit::WitnessWriter::Buffers& buffers, Executor& executor) {
      write_update_witness(setup, hashes, statement, k, partition, circuit::end_of(shape), buffers, executor);
    });
  }
}

}  // namespace

TEST_CASE("the SnapDeals circuit and its witnesses at 2KiB are the reference's") {
  check_witnesses("cases/snap-2KiB-seed11", UpdateSetup::of(SectorSize::k2KiB), *check_rows(SectorSize::k2KiB));
}

TEST_CASE("SnapDeals witnesses over the tree shapes of large sectors are the reference's") {
  for (const auto& [folder, setup] : {std::pair{"fake/snap-16KiB-seed1", UpdateSetup::of(512, {8, 8, 0})},
                                      std::pair{"fake/snap-32KiB-seed1", UpdateSetup::of(1024, {8, 8, 2})}}) {
    SerialExecutor executor;
    const auto shape = groth16::build(record_update(setup, UpdateHashes{}, executor), executor);
    check_witnesses(folder, setup, *shape);
  }
}

TEST_CASE("the SnapDeals circuit and its witnesses at 8MiB are the reference's") {
  check_witnesses("cases/snap-8MiB-seed21", UpdateSetup::of(SectorSize::k8MiB), *check_rows(SectorSize::k8MiB));
}
