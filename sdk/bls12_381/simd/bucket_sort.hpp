// Sorts one window's points by bucket: a counting sort in two parallel passes. Memory: 8 bytes a point and one counter
// per bucket and thread.
#pragma once

#include <cstdint>
#include <pinion/executor.hpp>
#include <span>
#include <vector>

#include "point_refs.hpp"
#include "signed_digits.hpp"

namespace pinion::bls::simd {

class BucketSort {
 public:
  BucketSort(std::size_t points, const SignedDigits& digits, unsigned width);
  static std::uint64_t bytes(std::size_t points, const SignedDigits& digits, unsigned width);

  // Sorts by digit w of the recoded scalars, dropping zero digits. Point k is ref indices[k], or k without indices;
  // negative digits negate it.
  void sort(std::span<const Limbs> recoded, unsigned w, std::span<const std::uint32_t> indices, Executor& executor);

  // Refs of bucket b (digits of magnitude b + 1): refs()[begin()[b]] up to begin()[b + 1].
  std::span<const PointRef> refs() const { return {refs_.data(), begin_.back()}; }
  std::span<const std::uint32_t> begin() const { return begin_; }

 private:
  std::size_t first(std::size_t range) const { return points_ * range / ranges_; }

  std::size_t points_, ranges_;
  SignedDigits digits_;
  std::vector<std::uint32_t> digit_of_, begin_;
  std::vector<std::vector<std::uint32_t>> next_;  // per range: count, then next place, of each bucket
  std::vector<PointRef> refs_;
};

}  // namespace pinion::bls::simd
