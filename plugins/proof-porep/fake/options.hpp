// Making up a PoRep input as "pinion.sample/1" asks for it: what can be chosen, and the folder that comes of it.
#pragma once

#include <pinion/plugin/interfaces.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <span>
#include <string>

namespace pinion::filecoin {

extern const std::span<const pinion_option_info* const> fake_option_list;

// Writes c1.json and meta.json into the empty folder `dir`. `hashes` are porep_hashes(). Throws
// pinion::Error UNSUPPORTED for a proof whose sectors cannot be made up, INVALID_INPUT for a number out of range.
// [worker]
void write_fake_seal(SectorSize size, std::uint64_t seed, const Options& options, const circuit::PoseidonSet& hashes,
                     const std::string& dir, Call& call, const FactSink& facts);

}  // namespace pinion::filecoin
