// From the vanilla proofs of a C1 output to what the circuit reads of them. A part of c1.hpp's reader.
#pragma once

#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/porep/json_reader.hpp>
#include <pinion/porep/vanilla.hpp>
#include <vector>

namespace pinion::filecoin {

// `value`: an array of setup.partitions arrays of setup.challenges_per_partition proofs. replica_id, comm_d and comm_r
// of the partitions stay zero: they stand elsewhere in the C1. Grows with what is read, never with what is claimed.
std::vector<VanillaPartition> read_partitions(json::Value value, const json::Place& at, const PorepSetup& setup);

}  // namespace pinion::filecoin
