// A C1 output: what sealing hands to the prover, parsed and checked for shape.
#pragma once

#include <cstdint>
#include <optional>
#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/porep/vanilla.hpp>
#include <vector>

namespace pinion::filecoin {

struct C1 {
  SealProof proof{SectorSize::k2KiB, SealProof::Variant::V1};
  Bytes32 comm_r{};      // canonical, not zero
  Bytes32 comm_d{};      // canonical, not zero
  Bytes32 replica_id{};  // canonical
  Bytes32 seed{};        // not zero
  Bytes32 ticket{};
  std::vector<VanillaPartition> partitions;    // setup().partitions of them
  std::optional<std::uint64_t> sector_number;  // as the wrapper states it; nothing in a bare C1
};

// Reads a C1 output, bare or wrapped (c1_wrapper.hpp). Every count and shape is checked against the registered proof,
// every scalar the circuit reads is canonical, and comm_r_last and comm_c are the same for all challenges of a
// partition; whether the hashes are right is for the circuit to say. What the circuit ignores is parsed as serde parses
// it. Throws pinion::Error INVALID_INPUT with the path of the field at fault. [worker]
C1 read_c1(ByteView bytes);

// Memory read_c1 takes at most beyond its input while it runs, in percent of the input's bytes: a copy, the parser's
// index and text buffer (567 % of it, mostly untouched), and the result (35 %) or, wrapped, the decoded text (75 %).
inline constexpr unsigned read_c1_percent = 750;

// The vanilla proofs alone, a bare array of partitions whose comm_* and replica_id stay zero: what tests have at toy
// sizes without a registered proof.
std::vector<VanillaPartition> read_vanilla_proofs(ByteView bytes, const PorepSetup& setup);

}  // namespace pinion::filecoin
