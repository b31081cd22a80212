// The verifying key: the `.vk` file, and the head of a `.params` file. Points are decoded with the subgroup test, as
// every reader of this part does. Not for proving keys: see params.hpp.
// Source: bellperson 0.27 groth16/verifying_key.rs.
#pragma once

#include <cstdint>
#include <pinion/bls12_381/curve.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file.hpp"
#include "result.hpp"

namespace pinion::groth16 {

struct VerifyingKey {
  // alpha_g1, beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2; then ic's length (u32 big-endian) and ic.
  static constexpr std::size_t fixed_bytes = 864;
  static constexpr std::size_t encoded_bytes(std::size_t ic_length) { return fixed_bytes + 4 + 96 * ic_length; }

  bls::G1Affine alpha_g1, beta_g1;
  bls::G2Affine beta_g2, gamma_g2;
  bls::G1Affine delta_g1;
  bls::G2Affine delta_g2;
  std::vector<bls::G1Affine> ic;  // one per input, ONE first

  // Decodes the bytes of a whole key: nothing may follow ic. Infinity is refused in ic and accepted elsewhere (the
  // prover refuses a delta at infinity). Errors name the field and its offset; `where` is the file they speak of. [any]
  static Result<VerifyingKey> decode(std::span<const std::uint8_t> bytes, std::string_view where);
  // A `.vk` file. [worker]
  static Result<VerifyingKey> read(const std::string& path);
  std::vector<std::uint8_t> encode() const;

  friend bool operator==(const VerifyingKey&, const VerifyingKey&) = default;
};

}  // namespace pinion::groth16
