// Who and what a replica is: porep_id, prover_id and replica_id (filecoin-proofs-api src/registry.rs, filecoin-proofs
// src/types/porep_config.rs, storage-proofs-porep src/stacked/vanilla/params.rs: generate_replica_id).
#pragma once

#include <cstdint>
#include <pinion/filecoin/digest.hpp>

namespace pinion::filecoin {

// The registered seal proof's number, a nonce of 0 (both u64 little-endian) and 16 zero bytes. [any]
Bytes32 porep_id(std::uint64_t registered_seal_proof);

// The miner's id address payload: LEB128 of the id, zero-padded. [any]
Bytes32 prover_id(std::uint64_t miner_id);

// SHA-256(prover_id ‖ sector number big-endian ‖ ticket ‖ comm_d ‖ porep_id), its two top bits cleared so that it is a
// canonical Fr. [any]
Bytes32 replica_id(const Bytes32& prover_id, std::uint64_t sector_number, const Bytes32& ticket, const Bytes32& comm_d,
                   const Bytes32& porep_id);

}  // namespace pinion::filecoin
