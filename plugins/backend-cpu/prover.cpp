#include "prover.hpp"

#include <algorithm>
#include <pinion/bls12_381/simd/crew.hpp>
#include <pinion/bls12_381/simd/msm.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <vector>

#include "progress_range.hpp"
#include "query_terms.hpp"

namespace pinion::backend_cpu {

using bls::Fp;
using bls::Fp2;
using bls::Fr;

namespace {

// Shares of a proof's work, in per cent, as measured on PoRep 2 KiB; for progress only.
constexpr std::uint64_t after_l = 5, after_a = 10, after_b_g1 = 12, after_b_g2 = 16, after_evaluation = 20,
                        after_first_pass = 24, after_quotient = 35, everything = 100;

}  // namespace

groth16::KeyCounts ProvingKey::counts() const {
  const auto length = [](const auto& query) { return static_cast<std::uint32_t>(query.size()); };
  return {length(head.ic), length(h), length(l), length(a), length(b_g1)};
}

ProverMemory ProverMemory::of(const groth16::KeyCounts& counts, unsigned width, const bls::simd::Kernels& kernels) {
  const std::uint64_t domain = std::uint64_t{counts.h} + 1;
  const std::uint64_t terms = std::uint64_t{counts.ic} + counts.l;  // of a query at most, when no aux is a bit
  const std::uint64_t blocks = terms / QueryTerms::block_bits + 1;
  const auto query_heap = [&]<class Field>(Field, std::uint64_t length) {
    const std::uint64_t scalars = length * sizeof(std::uint32_t) + bls::simd::msm_bytes<Field>(length, width, kernels);
    return std::max(scalars, bls::simd::sum_listed_bytes<Field>(blocks, QueryTerms::block_bits, width, kernels));
  };
  const groth16::Domain shape(groth16::Domain::log_for(domain), kernels);
  const std::uint64_t heap = std::max({query_heap(Fp{}, terms), query_heap(Fp2{}, counts.b),
                                       bls::simd::msm_bytes<Fp>(domain, width, kernels), shape.working_bytes(width)});
  return {domain, std::max(domain, terms), heap};
}

Prover::Prover(const ProvingKey& key, const groth16::Shape& shape, std::span<Fr> a, std::span<Fr> b,
               std::span<Fr> scratch, const bls::simd::Kernels& kernels)
    : key_(key),
      shape_(shape),
      kernels_(kernels),
      domain_(groth16::Domain::log_for(key.h.size() + 1), kernels),
      a_(a.first(domain_.size())),
      b_(b.first(domain_.size())),
      scratch_(scratch) {}

template <class Field>
bls::Jacobian<Field> Prover::sum(const char* name, std::span<const bls::Affine<Field>> query, const QueryTerms& terms,
                                 Executor& executor) {
  const Step whole(executor, name);
  const auto list = [&](std::uint64_t block, std::vector<bls::simd::PointRef>& refs) { terms.list_ones(block, refs); };
  const bls::Jacobian<Field> ones = [&] {
    const Step step(executor, "add ones");
    return bls::simd::sum_listed<Field>(query, terms.blocks(), QueryTerms::block_bits, list, executor, kernels_);
  }();
  const Step step(executor, "multiply scalars");
  std::vector<std::uint32_t> positions(terms.scalar_count());
  const std::span<Fr> scalars = scratch_.first(terms.scalar_count());
  terms.gather_scalars(positions, scalars, executor);
  return ones + bls::simd::msm_in_place<Field>(query, positions, scalars, executor, kernels_);
}

void Prover::sum_witness(const groth16::Witness& witness, Executor& executor) {
  const auto until = [&](std::uint64_t begin, std::uint64_t end) {
    return ProgressRange(executor, begin, end, everything);
  };
  const QueryTerms b = QueryTerms::b(shape_, witness);
  auto l_range = until(0, after_l);
  sums_.l = sum<Fp>("sum l", key_.l, QueryTerms::l(shape_, witness), l_range);
  auto a_range = until(after_l, after_a);
  sums_.a = sum<Fp>("sum a", key_.a, QueryTerms::a(shape_, witness), a_range);
  auto b_g1_range = until(after_a, after_b_g1);
  sums_.b_g1 = sum<Fp>("sum b_g1", key_.b_g1, b, b_g1_range);
  auto b_g2_range = until(after_b_g1, after_b_g2);
  sums_.b_g2 = sum<Fp2>("sum b_g2", key_.b_g2, b, b_g2_range);
}

Prover::Evaluations Prover::evaluate(const groth16::Witness& witness, Executor& executor) {
  const Step step(executor, "evaluate");
  const std::span<Fr> a = a_.first(shape_.num_rows()), b = b_.first(shape_.num_rows());
  groth16::evaluate(shape_, groth16::Matrix::a, witness, a, executor);
  groth16::evaluate(shape_, groth16::Matrix::b, witness, b, executor);
  executor.progress(after_evaluation, everything);
  return {a, b};
}

void Prover::begin_quotient(const Evaluations& evaluations, Executor& executor) {
  const Step step(executor, "quotient transforms");
  ProgressRange range(executor, after_evaluation, after_first_pass, everything);
  domain_.begin_quotient(evaluations.a, evaluations.b, a_, b_, scratch_.first(domain_.size()), range);
}

void Prover::sum_quotient(Executor& executor) {
  {
    const Step step(executor, "quotient transforms");
    ProgressRange quotient(executor, after_first_pass, after_quotient, everything);
    domain_.end_quotient(a_, b_, scratch_.first(domain_.size()), quotient);
  }
  const Step step(executor, "sum h");
  ProgressRange sum(executor, after_quotient, everything, everything);
  sums_.h = bls::simd::msm_in_place<Fp>(key_.h, a_.first(domain_.size() - 1), sum, kernels_);
}

groth16::Result<groth16::Proof> Prover::finish(const Fr& r, const Fr& s) const {
  return groth16::assemble_proof(key_.head, sums_, r, s);
}

}  // namespace pinion::backend_cpu
