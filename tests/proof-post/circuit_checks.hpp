// The circuits of spacetime and their witnesses against the reference's.
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/post/circuit/synthesis.hpp>
#include <pinion/test/vectors.hpp>
#include <pinion/test_circuit/circuit_checks.hpp>
#include <pinion/test_circuit/witness_checks.hpp>
#include <string>
#include <vector>

namespace pinion::filecoin::test {

inline groth16::OwnedShape check_post_rows(const std::string& name, const PostSetup& setup) {
  CAPTURE(name);
  SerialExecutor executor;
  return pinion::test::check_circuit(
      name, [&](circuit::RowObserver* observer) { return record_post(setup, post_hashes(), executor, observer); });
}

inline groth16::OwnedShape record(const PostSetup& setup) {
  SerialExecutor executor;
  return groth16::build(record_post(setup, post_hashes(), executor), executor);
}

// Partition k of a case that `sectors` of it belong to.
inline void check_witness(const std::string& folder, const PostSetup& setup, const groth16::Shape& shape, unsigned k,
                          const std::vector<PostSector>& sectors) {
  pinion::test::check_witness_of(
      folder, k, shape, [&](const circuit::WitnessWriter::Buffers& buffers, Executor& executor) {
        write_post_witness(setup, post_hashes(), sectors, circuit::end_of(shape), buffers, executor);
      });
}

inline void check_winning(const std::string& folder, const PostSetup& setup) {
  const auto file = pinion::test::find_vector(folder + "/sector-0.bin");
  if (!file) return;
  const auto sector =
      read_post_sector(pinion::test::read_file(*file), setup, PostSetup::winning_openings, "sector-0.bin");
  check_witness(folder, setup, *record(setup), 0, winning_partition(sector));
}

inline void check_window(const std::string& folder, const PostSetup& setup) {
  const auto meta = pinion::test::find_vector(folder + "/meta.json");
  if (!meta) return;
  std::vector<PostSector> all;
  for (std::filesystem::path file;
       exists(file = meta->parent_path() / ("sector-" + std::to_string(all.size()) + ".bin"));)
    all.push_back(read_post_sector(pinion::test::read_file(file), setup, setup.challenges, file.filename()));
  REQUIRE_FALSE(all.empty());
  const auto shape = record(setup);
  for (unsigned k = 0; k * setup.sectors < all.size(); ++k) {
    const auto begin = all.begin() + k * setup.sectors;
    const auto end = all.begin() + std::min<std::ptrdiff_t>((k + 1) * setup.sectors, std::ssize(all));
    check_witness(folder, setup, *shape, k, window_partition({begin, end}, setup));
  }
}

}  // namespace pinion::filecoin::test
