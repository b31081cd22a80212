// Domain: the 2^k-th roots of unity of Fr and polynomials over them: transforms between values and coefficients, on the
// domain itself and on its coset by 7, and the quotient polynomial of a proof. Sizes 2^0 to 2^28.
// A large transform is two passes over memory: the data is a matrix whose columns are transformed, twisted and
// then whose rows are (Bailey, "FFTs in external or hierarchical memory", 1990), eight columns or rows at a time by the
// tile kernels of bls12_381/simd. Nothing about circuits or keys here.
#pragma once

#include <cstdint>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/bls12_381/simd/kernels.hpp>
#include <pinion/executor.hpp>
#include <span>
#include <vector>

namespace pinion::groth16 {

class Domain {
 public:
  static constexpr unsigned max_log = 2 * bls::simd::max_tile_log;

  // Of size 2^log, log <= max_log (else std::invalid_argument). Tables take O(sqrt(size)).
  explicit Domain(unsigned log, const bls::simd::Kernels& kernels = bls::simd::best_kernels());
  // The smallest with at least `rows` elements, rows >= 1.
  static unsigned log_for(std::uint64_t rows);

  std::uint64_t size() const { return std::uint64_t{1} << log_; }
  const bls::Fr& root() const { return root_; }

  // Natural order in and out; `values` and `scratch` have size() elements, scratch is overwritten. ntt maps
  // coefficients to values at root^i, coset_ntt to values at 7 root^i; intt and coset_intt are their inverses.
  // Throw Cancelled. [worker]
  void ntt(std::span<bls::Fr> values, std::span<bls::Fr> scratch, Executor& executor) const;
  void intt(std::span<bls::Fr> values, std::span<bls::Fr> scratch, Executor& executor) const;
  void coset_ntt(std::span<bls::Fr> values, std::span<bls::Fr> scratch, Executor& executor) const;
  void coset_intt(std::span<bls::Fr> values, std::span<bls::Fr> scratch, Executor& executor) const;

  // The coefficients of h = (A B - C) / (X^size - 1), where C's values on the domain are the products of A's and B's,
  // which is what they are for a satisfied circuit; in two steps, because only the first reads those values. Six
  // transforms in four passes over memory: with c = a b,
  //   h = (inverse coset transform of A B - inverse transform of a b) / (7^size - 1).
  // begin_quotient is the first pass: from A's and B's values (of equal number, at most size(); zero beyond) into a, b
  // and c, which have size() elements. The values may be where a and b begin. end_quotient leaves h in a (the last one
  // is zero); b and c are overwritten. Throw Cancelled. [worker]
  void begin_quotient(std::span<const bls::Fr> a_values, std::span<const bls::Fr> b_values, std::span<bls::Fr> a,
                      std::span<bls::Fr> b, std::span<bls::Fr> c, Executor& executor) const;
  void end_quotient(std::span<bls::Fr> a, std::span<bls::Fr> b, std::span<bls::Fr> c, Executor& executor) const;

  // Heap that a transform takes on `width` threads. [any]
  std::uint64_t working_bytes(unsigned width) const;

 private:
  using Words = std::vector<std::uint64_t>;  // entries of kernel tables
  struct Side {                              // columns or rows: 2^log of them
    unsigned log = 0;
    Words forward, inverse;  // twiddles
    std::uint64_t length() const { return std::uint64_t{1} << log; }
  };
  struct Pass;
  class Values;

  bool is_small() const { return log_ < 6; }
  Side side(unsigned log) const;
  Words table(std::span<const bls::Fr> entries) const;
  Words powers_table(const bls::Fr& first, const bls::Fr& ratio, std::uint64_t count) const;
  void transform(std::span<bls::Fr> values, std::span<bls::Fr> scratch, bool inverse, Executor& executor) const;
  void to_coset_rows(std::span<bls::Fr> values, Executor& executor) const;
  void multiply_on_coset(std::span<bls::Fr> a, std::span<bls::Fr> b, Executor& executor) const;
  void subtract(std::span<bls::Fr> out, std::span<const bls::Fr> product, std::span<const bls::Fr> c,
                Executor& executor) const;

  unsigned log_;
  const bls::simd::TransformKernels& kernels_;
  bls::Fr root_, root_inverse_, size_inverse_;
  Side columns_, rows_;  // of the matrix: `columns_.length()` rows of `rows_.length()` elements
  Words coset_table_;    // 7^(columns_.length() * k) / size
};

}  // namespace pinion::groth16
