// The vanilla proof of one SnapDeals partition: exactly what its circuit reads, and its reader.
// Source: rust-fil-proofs storage-proofs-update src/vanilla.rs (PartitionProof).
#pragma once

#include <pinion/filecoin/bincode.hpp>
#include <pinion/snap/setup.hpp>
#include <string>
#include <vector>

namespace pinion::filecoin {

struct UpdateChallenge {
  bls::Fr leaf_r_old, leaf_d_new;
  MerklePath path_r_old, path_r_new;  // TreeR's shape; siblings only: the circuit derives where they stand
  MerklePath path_d_new;              // TreeD: binary, SHA-256
};

struct UpdatePartition {
  bls::Fr comm_c;
  bls::Fr root_r_old, root_r_new;  // of every challenge's proof
  std::vector<bls::Fr> apex_leaves;
  std::vector<UpdateChallenge> challenges;

  // Zeros in the right places: what a circuit is recorded with. [any]
  static UpdatePartition blank(const UpdateSetup& setup);
};

// Reads one partition's bincode. Counts and shapes must be the setup's, and all challenges of one root. `what` names
// the bytes in errors. Throws pinion::Error INVALID_INPUT with the offset and field at fault. [worker]
UpdatePartition read_update_partition(ByteView bytes, const UpdateSetup& setup, std::string what);

}  // namespace pinion::filecoin
