// Parameter files of a PoRep kind, for `pinion params`: making local ones, checking what stands in a folder, describing
// a single file. Errors and thread tags are those of pinion.keys/1 (keys.h).
#pragma once

#include <pinion/circuit/poseidon.hpp>
#include <pinion/filecoin/parameters.hpp>
#include <pinion/plugin/interfaces.hpp>
#include <string>

namespace pinion::filecoin {

// Records the circuit, makes both files and marks each with a sidecar NAME.insecure. Charges what it takes.
void generate_key_files(SectorSize size, const ParameterFiles& files, const std::string& dir, const char* toxic_label,
                        const circuit::PoseidonSet& hashes, Call& call, const FactSink& facts);

// Digests of both files; structure; every point, with the subgroup test unless the file's digest is the published one.
void check_key_files(SectorSize size, const ParameterFiles& files, const std::string& dir, Call& call,
                     const FactSink& facts);

// Any .params or .vk file, from its lengths alone.
void describe_key_file(const std::string& path, const FactSink& facts);

}  // namespace pinion::filecoin
