// The kinds of spacetime: WinningPoSt and WindowPoSt, one of each per sector size (all versions of one share its
// circuit).
#pragma once

#include <memory>
#include <pinion/filecoin_proving/kind_table.hpp>
#include <pinion/post/circuit/synthesis.hpp>
#include <vector>

namespace pinion::filecoin {

// What is known of the circuit of a size. Source of counts: rust-fil-proofs 19.1 through vectors/circuits.
const CircuitFacts& winning_facts(SectorSize size);
const CircuitFacts& window_facts(SectorSize size);

// `hashes` are post_hashes().
std::vector<ProofKind> post_kinds(const std::shared_ptr<const circuit::PoseidonSet>& hashes);

}  // namespace pinion::filecoin
