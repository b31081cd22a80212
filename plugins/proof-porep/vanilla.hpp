// The vanilla proof of one PoRep partition: exactly what its circuit reads. Readers (C1 JSON, fake sectors) fill it,
// the circuit template takes it. What a C1 output holds beyond that (rows of the challenged column, labeling parents,
// encoding proof) is not part of it: the circuit recomputes those.
// Source: rust-fil-proofs storage-proofs-porep src/stacked/circuit/proof.rs and vanilla/params.rs.
#pragma once

#include <array>
#include <cstdint>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/filecoin/graph.hpp>
#include <pinion/filecoin/merkle_path.hpp>
#include <pinion/filecoin/seal_proof.hpp>
#include <string>
#include <vector>

namespace pinion::filecoin {

// A column of labels and its opening in TreeC.
struct VanillaColumn {
  std::vector<bls::Fr> rows;  // label of layer 1 first; `layers` of them
  MerklePath path;
};

struct VanillaChallenge {
  std::uint64_t node = 0;  // the challenged leaf: labeling_proofs[0].node
  bls::Fr data_leaf;
  MerklePath data_path;     // TreeD: binary, SHA-256 (comm_d_proofs)
  MerklePath replica_path;  // TreeR (comm_r_last_proof)
  MerklePath column_path;   // TreeC, of the challenged column (c_x.inclusion_proof)
  std::array<VanillaColumn, StackedGraph::drg_degree> drg_parents;
  std::array<VanillaColumn, StackedGraph::expander_degree> expander_parents;
};

struct VanillaPartition {
  bls::Fr replica_id;
  bls::Fr comm_d;
  bls::Fr comm_r;
  bls::Fr comm_r_last;                       // root of every replica_path
  bls::Fr comm_c;                            // root of every column path
  std::vector<VanillaChallenge> challenges;  // setup.challenges_per_partition

  // Zeros in the right places: what a circuit is recorded with. [any]
  static VanillaPartition blank(const PorepSetup& setup);
};

// Every list has the length that `setup` asks for and every index is below its arity; otherwise what is wrong, for an
// error message ("challenge 3, DRG parent 2: 10 rows for 11 layers"); empty when all is well. Values are not judged.
// [any]
std::string misfit(const VanillaPartition& partition, const PorepSetup& setup);

}  // namespace pinion::filecoin
