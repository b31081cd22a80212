// The hashes and streams that Filecoin derivations are made of: SHA-256, Blake2b, ChaCha20 (all OpenSSL's libcrypto)
// and hexadecimal text. Not for hashing large files, and not for circuits: sdk/circuit has SHA-256 as constraints.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <pinion/bls12_381/fr.hpp>
#include <span>
#include <string>
#include <string_view>

namespace pinion::filecoin {

using bls::Bytes32;
using ByteView = std::span<const std::uint8_t>;

inline ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template <std::size_t N>
constexpr std::array<std::uint8_t, N> little_endian(std::uint64_t value) {
  static_assert(N <= 8);
  std::array<std::uint8_t, N> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = static_cast<std::uint8_t>(value >> (8 * i));
  return out;
}
constexpr std::array<std::uint8_t, 8> big_endian(std::uint64_t value) {
  std::array<std::uint8_t, 8> out{};
  for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
  return out;
}
constexpr std::uint64_t read_little_endian(ByteView bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
  return value;
}
constexpr std::uint64_t read_big_endian(ByteView bytes) {
  std::uint64_t value = 0;
  for (const std::uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

// Each hash takes the concatenation of `parts`. They throw std::runtime_error when libcrypto lacks the algorithm (a
// build or provider without it), never because of the input. [any]
Bytes32 sha256(std::initializer_list<ByteView> parts);
std::array<std::uint8_t, 64> blake2b_512(std::initializer_list<ByteView> parts);
// Blake2b with a 32-byte digest and a key of 1 to 64 bytes (RFC 7693, keyed).
Bytes32 blake2b_256_keyed(ByteView key, std::initializer_list<ByteView> parts);

// The ChaCha20 keystream of RFC 8439 with its block counter starting at 0; seekable. [any]
class ChaCha20 {
 public:
  ChaCha20(const Bytes32& key, const std::array<std::uint8_t, 12>& nonce) : key_(key), nonce_(nonce) {}
  // Fills `out` with the keystream from byte `offset` on. offset + out.size() <= 2^38 - 64 (the counter has 32 bits).
  void read(std::uint64_t offset, std::span<std::uint8_t> out) const;

 private:
  Bytes32 key_;
  std::array<std::uint8_t, 12> nonce_;
};

// Two lower-case digits a byte. [any]
std::string to_hex(ByteView bytes);

}  // namespace pinion::filecoin
