// A Groth16 proof: its 192 bytes, and the last step of making one. Source: Groth 2016; bellperson 0.27
// groth16/proof.rs, prover/native.rs.
#pragma once

#include <array>
#include <cstdint>
#include <pinion/bls12_381/curve.hpp>
#include <span>
#include <vector>

#include "result.hpp"
#include "verifying_key.hpp"

namespace pinion::groth16 {

struct Proof {
  static constexpr std::size_t encoded_bytes = 192;  // a (48), b (96), c (48), compressed

  bls::G1Affine a;
  bls::G2Affine b;
  bls::G1Affine c;

  std::array<std::uint8_t, encoded_bytes> encode() const;
  // Refuses points off the curve, outside the subgroup or at infinity, naming a, b or c. [any]
  static Result<Proof> decode(std::span<const std::uint8_t, encoded_bytes> bytes);
  friend bool operator==(const Proof&, const Proof&) = default;
};

// `count` proofs, one per partition, concatenated without anything between: exactly 192 * count bytes. Errors name the
// partition. [any]
Result<std::vector<Proof>> decode_proofs(std::span<const std::uint8_t> bytes, std::size_t count);

// What a prover's multi-scalar multiplications give: sums of query points times the assignment, and of h times the
// quotient's coefficients.
struct ProofSums {
  bls::G1 a, b_g1;
  bls::G2 b_g2;
  bls::G1 h, l;
};

// A = alpha + a + r delta, B = beta + b + s delta, C = s a + r b + rs delta + s alpha + r beta + h + l. A delta at
// infinity is a mismatch: such a key cannot hide anything. Microseconds. [any]
Result<Proof> assemble_proof(const VerifyingKey& key, const ProofSums& sums, const bls::Fr& r, const bls::Fr& s);

}  // namespace pinion::groth16
