// The public inputs of one PoRep partition as the verifier derives them, without looking at the vanilla proofs
// (storage-proofs-porep src/stacked/circuit/proof.rs: generate_public_inputs).
#pragma once

#include <pinion/bls12_381/fr.hpp>
#include <pinion/filecoin/graph.hpp>
#include <pinion/filecoin/porep_challenges.hpp>
#include <vector>

namespace pinion::filecoin {

// setup.public_inputs() values, ONE not among them: replica_id, comm_d, comm_r, then for each challenge c of partition
// `k`: c, 6 DRG parents, 8 expander parents, c, c, c. Throws std::invalid_argument when one of the first three is not a
// canonical Fr. `graph` is the setup's own. [any]
std::vector<bls::Fr> porep_public_inputs(const PorepSetup& setup, const StackedGraph& graph,
                                         const SealStatement& statement, unsigned k);

}  // namespace pinion::filecoin
