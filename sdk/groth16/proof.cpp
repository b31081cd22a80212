#include "proof.hpp"

#include <fmt/format.h>

#include "point_io.hpp"

namespace pinion::groth16 {

std::array<std::uint8_t, Proof::encoded_bytes> Proof::encode() const {
  std::array<std::uint8_t, encoded_bytes> out;
  const std::span<std::uint8_t, encoded_bytes> bytes(out);
  bls::encode_compressed<bls::G1Affine>(a, bytes.subspan<0, 48>());
  bls::encode_compressed<bls::G2Affine>(b, bytes.subspan<48, 96>());
  bls::encode_compressed<bls::G1Affine>(c, bytes.subspan<144, 48>());
  return out;
}

Result<Proof> Proof::decode(std::span<const std::uint8_t, encoded_bytes> bytes) {
  Proof out;
  std::optional<Error> error;
  const auto read = [&]<class Point>(Point& point, const char* name, std::size_t offset) {
    const auto decoded = bls::decode_compressed<Point>(
        std::span<const std::uint8_t>(bytes).subspan(offset).template first<bls::compressed_size<Point>>(),
        bls::Check::subgroup);
    if (const char* fault = fault_of(decoded, Infinity::refused); fault && !error)
      error = point_error("proof", name, offset, fault);
    point = decoded.point;
  };
  read(out.a, "A", 0);
  read(out.b, "B", 48);
  read(out.c, "C", 144);
  if (error) return *error;
  return out;
}

Result<std::vector<Proof>> decode_proofs(std::span<const std::uint8_t> bytes, std::size_t count) {
  if (bytes.size() % Proof::encoded_bytes != 0 || bytes.size() / Proof::encoded_bytes != count)
    return Error{ErrorCode::mismatch, fmt::format("proof: {} bytes where {} partitions of {} bytes were expected",
                                                  bytes.size(), count, Proof::encoded_bytes)};
  std::vector<Proof> out;
  for (std::size_t i = 0; i < count; ++i) {
    auto proof = Proof::decode(bytes.subspan(i * Proof::encoded_bytes).first<Proof::encoded_bytes>());
    if (!proof) return Error{proof.error().code, fmt::format("partition {}: {}", i, proof.error().message)};
    out.push_back(*proof);
  }
  return out;
}

Result<Proof> assemble_proof(const VerifyingKey& key, const ProofSums& sums, const bls::Fr& r, const bls::Fr& s) {
  if (key.delta_g1.is_infinity() || key.delta_g2.is_infinity())
    return Error{ErrorCode::mismatch,
                 "proving key: delta is the point at infinity, so no proof under it hides anything"};
  const bls::G1 alpha = key.alpha_g1, beta_g1 = key.beta_g1, delta_g1 = key.delta_g1;
  const bls::G2 beta_g2 = key.beta_g2, delta_g2 = key.delta_g2;
  const bls::G1 a = alpha + sums.a + delta_g1 * r;
  const bls::G2 b = beta_g2 + sums.b_g2 + delta_g2 * s;
  // s A + r B - rs delta, with B in G1, is the formula above with fewer multiplications.
  const bls::G1 b_g1 = beta_g1 + sums.b_g1 + delta_g1 * s;
  const bls::G1 c = a * s + b_g1 * r - delta_g1 * (r * s) + sums.h + sums.l;
  return Proof{a.to_affine(), b.to_affine(), c.to_affine()};
}

}  // namespace pinion::groth16
