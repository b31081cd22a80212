// The kinds of PoRep: one per sector size, for all variants (they share circuit and keys).
#pragma once

#include <memory>
#include <pinion/circuit/poseidon.hpp>
#include <pinion/filecoin_proving/kind_table.hpp>
#include <vector>

namespace pinion::filecoin {

// What is known of the circuit of a size. Source of counts: rust-fil-proofs 19.1 through vectors/circuits.
const CircuitFacts& porep_facts(SectorSize size);

// `hashes` are porep_hashes().
std::vector<ProofKind> porep_kinds(const std::shared_ptr<const circuit::PoseidonSet>& hashes);

}  // namespace pinion::filecoin
