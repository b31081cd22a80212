// The kinds of SnapDeals: one per sector size.
#pragma once

#include <memory>
#include <pinion/filecoin_proving/kind_table.hpp>
#include <pinion/snap/circuit/synthesis.hpp>
#include <vector>

namespace pinion::filecoin {

// What is known of the circuit of a size. Source of counts: rust-fil-proofs 19.1 through vectors/circuits.
const CircuitFacts& snap_facts(SectorSize size);

std::vector<ProofKind> snap_kinds(const std::shared_ptr<const UpdateHashes>& hashes);

}  // namespace pinion::filecoin
