// Whether a C1's vanilla proofs open the nodes that its own statement asks for. The circuit takes the nodes from the
// vanilla proofs and the verifier derives them from the statement, so a difference means a proof that cannot verify:
// better said before proving, with the field at fault.
#pragma once

#include <cstdint>
#include <pinion/circuit/poseidon.hpp>
#include <pinion/filecoin/porep_public_inputs.hpp>
#include <pinion/porep/c1.hpp>

namespace pinion::filecoin {

// The leaf that a path of tree `arities` opens. `path` fits `arities`. [any]
std::uint64_t leaf_index(const MerklePath& path, const std::vector<unsigned>& arities);

// Checks every challenge of partition `k`. Throws pinion::Error INVALID_INPUT. [any]
void check_openings(const C1& c1, const PorepSetup& setup, const StackedGraph& graph, unsigned k);

// Checks that comm_r is the hash of partition `k`'s comm_c and comm_r_last. `hash` is Poseidon of arity 2. Throws
// pinion::Error INVALID_INPUT. [any]
void check_roots(const C1& c1, const circuit::Poseidon& hash, unsigned k);

// What challenges are drawn from, as this C1 states it. [any]
SealStatement statement_of(const C1& c1);

}  // namespace pinion::filecoin
