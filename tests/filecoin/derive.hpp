// vectors/prims/derive.json: values derived by rust-fil-proofs itself, for the tests of plugins/filecoin.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <pinion/filecoin/digest.hpp>
#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/test/vectors.hpp>
#include <string>
#include <vector>

namespace pinion::filecoin::test {

using Json = nlohmann::json;

// Nothing (after saying so) where the file is absent.
inline std::optional<Json> derive_section(const char* name) {
  const auto path = pinion::test::find_vector("prims/derive.json");
  if (!path) return std::nullopt;
  return pinion::test::read_json(*path).at(name);
}

inline Bytes32 bytes32(const Json& hex) {
  const auto bytes = pinion::test::from_hex(hex.get<std::string>());
  REQUIRE(bytes.size() == 32);
  Bytes32 out{};
  std::copy(bytes.begin(), bytes.end(), out.begin());
  return out;
}

// Numbers that may not fit a double are strings in the vectors.
inline std::uint64_t number(const Json& value) {
  return value.is_string() ? std::stoull(value.get<std::string>()) : value.get<std::uint64_t>();
}
inline std::vector<std::uint64_t> numbers(const Json& values) {
  std::vector<std::uint64_t> out;
  for (const Json& value : values) out.push_back(number(value));
  return out;
}

inline SectorSize sector_size(const std::string& name) {
  for (const SectorSize size : sector_sizes)
    if (sector_name(size) == name) return size;
  FAIL("no sector size " + name);
  throw std::logic_error("unreachable");
}

// "32GiB Synthetic" of the vectors.
inline SealProof seal_proof(const std::string& text) {
  const std::size_t space = text.find(' ');
  const std::string variant = text.substr(space + 1);
  const std::vector<std::string> variants{"V1", "V1_1", "Synthetic", "NonInteractive"};
  const auto found = std::find(variants.begin(), variants.end(), variant);
  REQUIRE(found != variants.end());
  return {sector_size(text.substr(0, space)), static_cast<SealProof::Variant>(found - variants.begin())};
}

// SHA-256 over each number in `width` little-endian bytes.
template <std::size_t Width>
std::string sha256_of(const std::vector<std::uint64_t>& values) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t value : values) {
    const auto one = little_endian<Width>(value);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return to_hex(sha256({bytes}));
}

}  // namespace pinion::filecoin::test
