// Checks Groth16 proofs: e(A, B) = e(alpha, beta) e(sum of inputs times ic, gamma) e(C, delta). One proof takes about
// 2 ms; many at once cost one pairing each. A proof that does not verify is a result (false), not an error.
// Source: Groth 2016, §3.2; batching: Bellare, Garay, Rabin 1998 (small exponents).
#pragma once

#include <pinion/bls12_381/pairing.hpp>
#include <pinion/executor.hpp>
#include <span>
#include <vector>

#include "proof.hpp"
#include "random.hpp"
#include "result.hpp"
#include "verifying_key.hpp"

namespace pinion::groth16 {

// A statement and its proof. `inputs` are the public inputs without ONE, in allocation order.
struct ProvenStatement {
  std::span<const bls::Fr> inputs;
  Proof proof;
};

class Verifier {
 public:
  // Computes e(alpha, beta) once. [any]
  explicit Verifier(VerifyingKey key);

  std::size_t num_inputs() const noexcept { return key_.ic.size() - 1; }  // without ONE
  const VerifyingKey& key() const noexcept { return key_; }

  // mismatch when the number of inputs is not num_inputs(). The proof's points must be of the subgroup, as decode()
  // guarantees. [any]
  Result<bool> verify(const ProvenStatement& statement) const;

  // True when all verify. A wrong proof slips through with probability 2^-128 over `random`; which one was wrong is for
  // verify() to find. No statements: true. [worker]
  Result<bool> verify_all(std::span<const ProvenStatement> statements, const RandomBytes& random,
                          Executor& executor) const;

 private:
  Result<void> check_inputs(std::size_t found) const;

  VerifyingKey key_;
  bls::Gt alpha_beta_;
  bls::G2Affine minus_gamma_, minus_delta_;
};

}  // namespace pinion::groth16
