// A sector updated by SnapDeals that never was: periodic trees of the old replica, the new data and the new replica,
// and from them what every partition opens. The challenges depend on the new commitment, so no leaf can be treated
// apart; the period runs through all three trees, the new replica's within each stretch of nodes that shares a rho.
#pragma once

#include <pinion/fake/trees.hpp>
#include <pinion/snap/circuit/synthesis.hpp>
#include <vector>

namespace pinion::filecoin {

class FakeUpdate {
 public:
  // Hashes the trees: some 300,000 nodes for 32GiB and 64GiB. `hashes` outlives it. [worker]
  FakeUpdate(const UpdateSetup& setup, std::uint64_t seed, const UpdateHashes& hashes, Executor& executor);

  const UpdateStatement& statement() const { return statement_; }
  // The bincode of partition k < setup.partitions. [any]
  std::vector<std::uint8_t> partition(unsigned k) const;

 private:
  SegmentedTree new_replica(Executor& executor) const;

  const UpdateSetup setup_;
  const Filler filler_;
  const UpdateHashes& hashes_;
  const UpdateDerivation derivation_;
  const bls::Fr comm_c_;
  const PeriodicTree old_replica_, new_data_;
  UpdateStatement statement_;  // what the new replica's rho depends on is there before it
  const SegmentedTree new_replica_;
};

// The input of a proof, as the command line reads it, into the empty folder `dir`: partition-K.bin and meta.json.
// [worker]
void write_fake_update(SectorSize size, std::uint64_t seed, const UpdateHashes& hashes, const std::string& dir,
                       Executor& executor);

}  // namespace pinion::filecoin
