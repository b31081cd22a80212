// SHA-256 of a file (FIPS 180-4), for the digest a manifest may state.
#pragma once

#include <filesystem>
#include <pinion/host/base/status.hpp>
#include <string>

namespace pinion::host {

// 64 lower-case hexadecimal digits. Fails with invalid_config when the file cannot be read. [any]
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace pinion::host
