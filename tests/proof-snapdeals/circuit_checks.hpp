// The SnapDeals circuit and its witnesses against the reference's.
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/snap/circuit/synthesis.hpp>
#include <pinion/test/vectors.hpp>
#include <pinion/test_circuit/circuit_checks.hpp>
#include <pinion/test_circuit/gadget_vectors.hpp>
#include <pinion/test_circuit/witness_checks.hpp>
#include <string>

namespace pinion::filecoin::test {

inline groth16::OwnedShape check_update_rows(SectorSize size) {
  const UpdateHashes hashes;
  SerialExecutor executor;
  return pinion::test::check_circuit("snap-" + std::string(sector_name(size)), [&](circuit::RowObserver* observer) {
    return record_update(UpdateSetup::of(size), hashes, executor, observer);
  });
}

// Every partition of the case that the reference noted a witness of.
inline void check_update_witnesses(const std::string& folder, const UpdateSetup& setup, const groth16::Shape& shape) {
  namespace vectors = pinion::test;
  const auto path = vectors::find_vector(folder + "/meta.json");
  if (!path) return;
  const UpdateHashes hashes;
  const auto meta = vectors::read_json(*path);
  const auto scalar = [&](const char* key) { return vectors::fr_from_hex(meta.at(key).get<std::string>()); };
  const UpdateStatement statement{scalar("comm_r_old"), scalar("comm_d_new"), scalar("comm_r_new")};
  for (unsigned k = 0; k < setup.partitions; ++k) {
    const auto input = path->parent_path() / ("partition-" + std::to_string(k) + ".bin");
    if (!vectors::has_witness(folder, k) || !exists(input)) continue;
    const UpdatePartition partition = read_update_partition(vectors::read_file(input), setup, input.filename());
    vectors::check_witness_of(
        folder, k, shape, [&](const circuit::WitnessWriter::Buffers& buffers, Executor& executor) {
          write_update_witness(setup, hashes, statement, k, partition, circuit::end_of(shape), buffers, executor);
        });
  }
}

}  // namespace pinion::filecoin::test
