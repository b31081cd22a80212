// A Groth16 prover on CPUs: from a satisfied circuit to a proof, in four steps that share three working vectors of the
// size of the domain. What the caller lends is read by the first three only. Knows nothing of the plugin ABI.
//
//   sum_witness     the sums over the queries a, b and l    (uses the third vector)
//   evaluate        a = A w, b = B w on the domain          (unless the caller has them)
//   begin_quotient  the first pass over a and b, from where they are into the three vectors
//   sum_quotient    h's coefficients into a, their sum over the query h
//   finish          the proof
// Source: Groth 2016; order of queries, densities and quotient as in bellperson 0.27 (spec §2.3).
#pragma once

#include <cstdint>
#include <pinion/bls12_381/simd/kernels.hpp>
#include <pinion/executor.hpp>
#include <pinion/groth16/domain.hpp>
#include <pinion/groth16/params.hpp>
#include <pinion/groth16/proof.hpp>
#include <pinion/groth16/witness.hpp>
#include <span>

namespace pinion::backend_cpu {

// A decoded proving key; a view.
struct ProvingKey {
  const groth16::VerifyingKey& head;
  std::span<const bls::G1Affine> h, l, a, b_g1;
  std::span<const bls::G2Affine> b_g2;
  groth16::KeyCounts counts() const;
};

// What a proof with such a key takes besides key, shape and witness.
struct ProverMemory {
  std::uint64_t evaluations;  // elements of each of the vectors a and b: the domain
  std::uint64_t scratch;      // elements of the third
  std::uint64_t heap;         // bytes that the steps allocate, at most, on that many threads
  static ProverMemory of(const groth16::KeyCounts& counts, unsigned width, const bls::simd::Kernels& kernels);
};

class Prover {
 public:
  // The key fits the shape (groth16::check_counts); spans as ProverMemory says, their content is overwritten.
  Prover(const ProvingKey& key, const groth16::Shape& shape, std::span<bls::Fr> a, std::span<bls::Fr> b,
         std::span<bls::Fr> scratch, const bls::simd::Kernels& kernels);

  // The witness passed check_witness. Throws Cancelled, std::bad_alloc. [worker]
  void sum_witness(const groth16::Witness& witness, Executor& executor);
  // Values of the rows: num_rows() each.
  struct Evaluations {
    std::span<const bls::Fr> a, b;
  };
  // The witness passed check_witness. The values are in the prover's own vectors. Throws Cancelled. [worker]
  [[nodiscard]] Evaluations evaluate(const groth16::Witness& witness, Executor& executor);
  // After sum_witness. C's values are not needed: they are a b for a satisfied circuit, and for any other no proof
  // verifies. Throws Cancelled, std::bad_alloc. [worker]
  void begin_quotient(const Evaluations& evaluations, Executor& executor);
  // After begin_quotient. Throws Cancelled, std::bad_alloc. [worker]
  void sum_quotient(Executor& executor);
  // After all of them. [any]
  groth16::Result<groth16::Proof> finish(const bls::Fr& r, const bls::Fr& s) const;

 private:
  template <class Field>
  bls::Jacobian<Field> sum(const char* name, std::span<const bls::Affine<Field>> query, const class QueryTerms& terms,
                           Executor& executor);

  ProvingKey key_;
  const groth16::Shape& shape_;
  const bls::simd::Kernels& kernels_;
  groth16::Domain domain_;
  std::span<bls::Fr> a_, b_, scratch_;
  groth16::ProofSums sums_;
};

}  // namespace pinion::backend_cpu
