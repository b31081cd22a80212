// From the host's request to what a session works on: one C1 output and the facts stated beside it, all checked before
// anything is planned. A C1 that is sound but belongs to another sector, miner or proof than the request says is
// refused here.
#pragma once

#include <pinion/proof.h>

#include <pinion/circuit/poseidon.hpp>
#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/porep/c1.hpp>

namespace pinion::filecoin {

struct PorepRequest {
  C1 c1;
  PorepSetup setup;
  bool identified = false;  // replica_id was recomputed from miner and sector
};

// The C1 is the only part beside a meta.json or, of several, the one named c1.json. Facts, all optional: miner_id,
// sector_number, sector_size (bytes), registered_proof (number). `hashes` are porep_hashes(). Throws pinion::Error
// INVALID_INPUT; the message names the field. [worker]
PorepRequest read_request(const pinion_request& request, const circuit::PoseidonSet& hashes);

}  // namespace pinion::filecoin
