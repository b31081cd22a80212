// Parameter files of a kind, for `pinion params`: making local ones, checking what stands in a folder, describing a
// single file. Errors and thread tags are those of pinion.keys/1 (keys.h).
#pragma once

#include <pinion/plugin/interfaces.hpp>
#include <string>

#include "kind_table.hpp"

namespace pinion::filecoin {

// Records the circuit, makes both files and marks each with a sidecar NAME.insecure. Charges what it takes.
void generate_key_files(const ProofKind& kind, const std::string& dir, const char* toxic_label, Call& call,
                        const FactSink& facts);

// Digests of both files; structure; every point, with the subgroup test unless the file's digest is the published one.
void check_key_files(const ProofKind& kind, const std::string& dir, Call& call, const FactSink& facts);

// Any .params or .vk file, from its lengths alone; says which of `kinds` it is named after.
void describe_key_file(const KindTable& kinds, const std::string& path, const FactSink& facts);

}  // namespace pinion::filecoin
