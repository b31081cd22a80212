#include "fake.hpp"

#include <pinion/fake/folder.hpp>
#include <pinion/filecoin/bincode_writer.hpp>
#include <string>

namespace pinion::filecoin {

using bls::Fr;

FakeUpdate::FakeUpdate(const UpdateSetup& setup, std::uint64_t seed, const UpdateHashes& hashes, Executor& executor)
    : setup_(setup),
      filler_(seed),
      hashes_(hashes),
      derivation_(setup),
      comm_c_(filler_.scalar("comm_c")),
      old_replica_(level_arities(setup.tree, setup.nodes), poseidon_nodes(hashes.trees), filler_.row("old replica"),
                   setup.nodes),
      new_data_(binary_level_arities(setup.nodes), sha256_nodes(), filler_.row("new data"), setup.nodes),
      statement_{hashes.trees[2].hash(std::array{comm_c_, root(old_replica_)}), root(new_data_), {}},
      new_replica_(new_replica(executor)) {
  statement_.comm_r_new = hashes.trees[2].hash(std::array{comm_c_, root(new_replica_)});
}

SegmentedTree FakeUpdate::new_replica(Executor& executor) const {
  const std::vector<Fr> old_row = filler_.row("old replica");
  const std::vector<Fr> data_row = filler_.row("new data");
  const Fr phi = derivation_.phi(statement_);
  const std::uint64_t segments = std::uint64_t{1} << setup_.h();
  const auto row_of = [&](std::uint64_t segment) {
    const Fr rho = derivation_.rho(phi, segment * (setup_.nodes / segments));
    std::vector<Fr> row(filler_period);
    for (unsigned i = 0; i < filler_period; ++i) row[i] = old_row[i] + data_row[i] * rho;
    return row;
  };
  return {level_arities(setup_.tree, setup_.nodes),
          poseidon_nodes(hashes_.trees),
          setup_.nodes,
          segments,
          row_of,
          executor};
}

std::vector<std::uint8_t> FakeUpdate::partition(unsigned k) const {
  static constexpr TreeShape binary{2, 0, 0};
  BincodeWriter out;
  out.scalar(comm_c_);
  out.u64(setup_.apex_leaves);
  for (unsigned i = 0; i < setup_.apex_leaves; ++i)
    out.scalar(new_data_.node(setup_.levels_below_apex(), std::uint64_t{k} * setup_.apex_leaves + i));
  out.u64(setup_.challenges);
  for (const std::uint64_t leaf : derivation_.challenges(statement_.comm_r_new, k)) {
    out.opening(open_leaf(old_replica_, leaf), setup_.tree, setup_.nodes);
    out.opening(open_leaf(new_data_, leaf), binary, setup_.nodes);
    out.opening(open_leaf(new_replica_, leaf), setup_.tree, setup_.nodes);
  }
  return out.bytes();
}

void write_fake_update(SectorSize size, std::uint64_t seed, const UpdateHashes& hashes, const std::string& dir,
                       Executor& executor) {
  const UpdateSetup setup = UpdateSetup::of(size);
  const FakeUpdate update(setup, seed, hashes, executor);
  executor.for_each(setup.partitions, [&](std::uint64_t k) {
    executor.check();
    write_new_file(dir, "partition-" + std::to_string(k) + ".bin", update.partition(static_cast<unsigned>(k)));
  });
  const std::string name = "StackedDrg" + std::string(sector_name(size)) + "V1";
  MetaJson meta;
  meta.text("kind", "snap").text("registered_proof", name).number("registered_proof_number", index_of(size));
  meta.hex("comm_r_old", update.statement().comm_r_old.to_bytes());
  meta.hex("comm_d_new", update.statement().comm_d_new.to_bytes());
  meta.hex("comm_r_new", update.statement().comm_r_new.to_bytes());
  write_new_file(dir, "meta.json", as_bytes(meta.finish(seed)));
}

}  // namespace pinion::filecoin
