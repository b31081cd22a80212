// Multiples of one point by many scalars, all known in advance: setup. Windows of the scalar pick precomputed points,
// and all sums of a window are made together (batch_add.hpp), so that results come out affine.
// Source: Brickell, Gordon, McCurley, Wilson 1992 (fixed base windows); signed digits.
#pragma once

#include <cstdint>
#include <memory>
#include <pinion/executor.hpp>
#include <span>
#include <vector>

#include "batch_add.hpp"

namespace pinion::bls {

template <class Field>
class FixedBaseTable {
 public:
  // ceil(255 / window_bits) * 2^(window_bits - 1) affine points, as many additions to make; 2 <= window_bits <= 20.
  // `base` is in the subgroup. [worker]
  FixedBaseTable(const Affine<Field>& base, unsigned window_bits, Executor& executor);

  // The window width that makes `count` multiples in the fewest additions, within what caches bear: 50 MB for G1. [any]
  static unsigned best_window_bits(std::uint64_t count);

  unsigned window_bits() const noexcept { return window_bits_; }

  // out[i] = scalars[i] * base; same length. Works through a few thousand at a time. [any]
  void multiply(std::span<const Fr> scalars, std::span<Affine<Field>> out) const;

 private:
  unsigned windows() const noexcept { return (Fr::bits + window_bits_ - 1) / window_bits_; }
  std::size_t window_entries() const noexcept { return std::size_t{1} << (window_bits_ - 1); }
  std::span<const Affine<Field>> window(unsigned w) const {
    return std::span(entries_).subspan(w * window_entries(), window_entries());
  }
  void fill_window(unsigned w, const Affine<Field>& base);

  unsigned window_bits_;
  std::vector<Affine<Field>> entries_;  // of window w: k * 2^(w * window_bits) * base, k = 1 … 2^(window_bits - 1)
};

using FixedBaseG1 = FixedBaseTable<Fp>;
using FixedBaseG2 = FixedBaseTable<Fp2>;

}  // namespace pinion::bls
