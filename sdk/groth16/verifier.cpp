#include "verifier.hpp"

#include <fmt/format.h>

namespace pinion::groth16 {

using bls::Fr;
using bls::G1;
using bls::MillerValue;

namespace {

// 128 random bits, not all zero.
Fr random_exponent(const RandomBytes& random) {
  for (;;) {
    bls::Bytes32 bytes{};
    random(std::span(bytes).first(16));
    const Fr out = Fr::from_bytes(bytes).value();
    if (!out.is_zero()) return out;
  }
}

// The inputs of all statements, each times its exponent, summed: one scalar per point of ic.
std::vector<Fr> combine_inputs(std::span<const ProvenStatement> statements, std::span<const Fr> exponents,
                               std::size_t length) {
  std::vector<Fr> out(length);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    out[0] += exponents[i];
    for (std::size_t j = 1; j < length; ++j) out[j] += exponents[i] * statements[i].inputs[j - 1];
  }
  return out;
}

}  // namespace

Verifier::Verifier(VerifyingKey key)
    : key_(std::move(key)),
      alpha_beta_(bls::pairing(key_.alpha_g1, key_.beta_g2)),
      minus_gamma_(-key_.gamma_g2),
      minus_delta_(-key_.delta_g2) {}

Result<void> Verifier::check_inputs(std::size_t found) const {
  if (found == num_inputs()) return {};
  return Error{ErrorCode::mismatch,
               fmt::format("verify: {} public inputs where the verifying key has {}", found, num_inputs())};
}

Result<bool> Verifier::verify(const ProvenStatement& statement) const {
  if (auto matching = check_inputs(statement.inputs.size()); !matching) return matching.error();
  const std::span<const bls::G1Affine> ic(key_.ic);
  const G1 inputs = bls::simple_msm(ic.subspan(1), statement.inputs) + ic[0];
  MillerValue product = MillerValue::of(statement.proof.a, statement.proof.b);
  product *= MillerValue::of(inputs.to_affine(), minus_gamma_);
  product *= MillerValue::of(statement.proof.c, minus_delta_);
  return product.final_exponentiation() == alpha_beta_;
}

Result<bool> Verifier::verify_all(std::span<const ProvenStatement> statements, const RandomBytes& random,
                                  Executor& executor) const {
  for (const ProvenStatement& statement : statements)
    if (auto matching = check_inputs(statement.inputs.size()); !matching) return matching.error();
  std::vector<Fr> exponents(statements.size());
  std::vector<bls::G1Affine> c(statements.size());
  for (std::size_t i = 0; i < statements.size(); ++i) {
    exponents[i] = random_exponent(random);
    c[i] = statements[i].proof.c;
  }
  const std::vector<Fr> inputs = combine_inputs(statements, exponents, key_.ic.size());

  // e(z_i A_i, B_i) for each statement, then alpha-beta, gamma and delta, each once for all of them.
  std::vector<MillerValue> values(statements.size() + 3);
  executor.for_each(values.size(), [&](std::uint64_t i) {
    const std::size_t n = statements.size();
    if (i < n) {
      values[i] = MillerValue::of((G1(statements[i].proof.a) * exponents[i]).to_affine(), statements[i].proof.b);
    } else if (i == n) {
      values[i] = MillerValue::of((G1(key_.alpha_g1) * -inputs[0]).to_affine(), key_.beta_g2);
    } else if (i == n + 1) {
      values[i] = MillerValue::of(bls::simple_msm<bls::Fp>(key_.ic, inputs).to_affine(), minus_gamma_);
    } else {
      values[i] = MillerValue::of(bls::simple_msm<bls::Fp>(c, exponents).to_affine(), minus_delta_);
    }
  });
  executor.check();
  MillerValue product;
  for (const MillerValue& value : values) product *= value;
  return product.final_exponentiation().is_one();
}

}  // namespace pinion::groth16
