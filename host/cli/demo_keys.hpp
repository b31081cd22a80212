// Parameter files for showing and measuring: made on this machine from a public secret, so that anybody can make the
// same and nobody can trust them. Not for proofs that count.
#pragma once

#include <filesystem>
#include <pinion/host/cli/outputs.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/pipeline/prover.hpp>

namespace pinion::host::cli {

// `wanted`, or the user's cache folder when it is empty; made when it is not there. invalid_input: neither is known;
// unsupported: it cannot be made. [main]
Result<OutputFolder> demo_key_folder(const std::string& wanted);

// Makes the kind's files in `folder` unless they are there, and says so. [main]
Status ensure_demo_keys(Program& program, Prover& prover, const Kind& kind, const std::filesystem::path& folder);

}  // namespace pinion::host::cli
