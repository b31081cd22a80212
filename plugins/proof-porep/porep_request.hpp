// From the host's request to what a session works on: one C1 output and the facts stated beside it, all checked before
// anything is planned. A C1 that is sound but belongs to another sector, miner or proof than the request says is
// refused here.
#pragma once

#include <pinion/proof.h>

#include <cstdint>
#include <optional>
#include <pinion/circuit/poseidon.hpp>
#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/porep/c1.hpp>

namespace pinion::filecoin {

// What a request may state beside the C1. Keys: "miner_id", "sector_number", "sector_size", "registered_proof".
struct PorepFacts {
  std::optional<std::uint64_t> miner_id;
  std::optional<std::uint64_t> sector_number;
  std::optional<std::uint64_t> sector_size;       // bytes
  std::optional<std::uint64_t> registered_proof;  // number
};

struct PorepRequest {
  C1 c1;
  PorepSetup setup;
  bool identified = false;  // replica_id was recomputed from miner and sector
};

// Throws pinion::Error INVALID_INPUT; the message names the field. [worker]
PorepFacts read_facts(const pinion_request& request);
// `hashes` are porep_hashes().
PorepRequest read_request(const pinion_request& request, const circuit::PoseidonSet& hashes);

}  // namespace pinion::filecoin
