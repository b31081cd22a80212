// Multiples of one point by many scalars, all known in advance: setup. Each window of a scalar picks a precomputed
// point, and the points of a scalar are summed in pairs, pairs of pairs, …, by the batched affine additions of
// kernels.hpp: one addition less than there are windows, and the results come out affine. Variable time.
// Source: Brickell, Gordon, McCurley, Wilson 1992 (fixed base windows), with signed digits.
#pragma once

#include <cstdint>
#include <pinion/bls12_381/curve.hpp>
#include <pinion/executor.hpp>
#include <span>
#include <vector>

#include "kernels.hpp"
#include "signed_digits.hpp"

namespace pinion::bls::simd {

template <class Field>
class FixedBaseTable {
 public:
  // ceil(255 / window_bits) * 2^(window_bits - 1) points, one addition each; 2 <= window_bits <= 20. `base` is in the
  // subgroup. Throws Cancelled. [worker]
  FixedBaseTable(const Affine<Field>& base, unsigned window_bits, Executor& executor,
                 const Kernels& kernels = best_kernels());

  // The window width that makes `count` multiples in the fewest additions, within what caches bear (50 MB). [any]
  static unsigned best_window_bits(std::uint64_t count);

  unsigned window_bits() const noexcept { return digits_.window_bits(); }

  // out[i] = scalars[i] * base; same length. Takes about 1 MB while it runs. [any]
  void multiply(std::span<const Fr> scalars, std::span<Affine<Field>> out) const;

 private:
  struct Workspace;

  std::size_t window_entries() const noexcept { return digits_.buckets(); }
  // The entry for digit w of a recoded scalar.
  PointRef table_ref(const Limbs& recoded, unsigned w) const {
    const std::uint32_t digit = digits_.digit(recoded, w);  // magnitude and sign
    const auto entry = static_cast<PointRef>(w * window_entries() + (digit & ~negated_point));
    return digit == 0 ? 0 : entry | (digit & negated_point);
  }
  void fill_window(std::size_t first, const Affine<Field>& base);
  void multiply_batch(std::span<const Fr> scalars, std::span<Affine<Field>> out, Workspace& workspace) const;

  const PointKernels* kernels_;
  SignedDigits digits_;
  // Entry 0 is infinity; then, of window w, k * 2^(w * window_bits) * base for k = 1 … 2^(window_bits - 1).
  std::vector<Affine<Field>> entries_;
};

using FixedBaseG1 = FixedBaseTable<Fp>;
using FixedBaseG2 = FixedBaseTable<Fp2>;

}  // namespace pinion::bls::simd
