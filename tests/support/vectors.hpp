// Where tests find ground truth, and how they read it: files, hexadecimal, JSON, zstd, SHA-256.
//
// For tests only: nothing here is fast, and every failure is an exception that names the file.
//
// Small vectors live in tests/vectors/ of the repository and are always there. Large ones are found through the
// environment variable PINION_VECTORS (default: ../shared/vectors beside the source tree); a test that needs one and
// does not find it says so and passes:
//
//     const auto file = pinion::test::find_vector("cases/porep-8MiB-V1_1-seed21/c1.json");
//     if (!file) return;  // "skipped: no vectors" is printed
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pinion::test {

using Bytes = std::vector<std::uint8_t>;

// tests/vectors/ of the repository. [any]
std::filesystem::path small_vectors_dir();

// $PINION_VECTORS, or <source>/../shared/vectors. It need not exist. [any]
std::filesystem::path vectors_dir();

// The path of `relative` (a file or folder) in small_vectors_dir() or else in vectors_dir(). Where neither has it,
// prints "skipped: no vectors (<relative>)" and returns nothing. [any]
std::optional<std::filesystem::path> find_vector(std::string_view relative);

// The whole file; one ending in .zst is decompressed. Throws std::runtime_error naming the path. [any]
Bytes read_file(const std::filesystem::path& path);
std::string read_text(const std::filesystem::path& path);

// read_text and parse. The caller includes <nlohmann/json.hpp>. [any]
nlohmann::json read_json(const std::filesystem::path& path);

// Lower-case hexadecimal, two digits a byte, first byte first. from_hex throws std::invalid_argument for an odd length
// or another character. [any]
std::string to_hex(std::span<const std::uint8_t> bytes);
Bytes from_hex(std::string_view digits);

// SHA-256 (FIPS 180-4) as 64 hexadecimal digits. [any]
std::string sha256_hex(std::span<const std::uint8_t> bytes);

// A new empty folder under the system's temporary folder, removed with everything in it by the destructor.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace pinion::test
