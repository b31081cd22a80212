// A plugin's manifest: the TOML file beside a library that says what the library is, so that plugins are listed without
// loading any code. It promises nothing: the gates compare it with what the library says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <pinion/host/base/status.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct Manifest {
  std::filesystem::path path;  // of the manifest itself; absolute
  std::string id;
  std::string version;
  std::vector<std::string> interfaces;
  std::uint16_t abi_major = 0, abi_minor = 0;
  std::filesystem::path library;  // absolute
  std::string sha256;             // of the library, 64 lower-case hexadecimal digits; "" when not stated
};

// True for [a-z0-9-], 1 to 63 characters. [any]
bool valid_plugin_id(std::string_view id) noexcept;

// Fails with invalid_config: "FILE:LINE:COLUMN: KEY: what is wrong, what was expected", every problem of the file at
// once. A manifest_version above 1 is an error: nobody can guess what a newer one means. [any]
Result<Manifest> read_manifest(const std::filesystem::path& path);

}  // namespace pinion::host
