// Whether many points of the curve are all of order r, by sums of random subsets: about five additions a point instead
// of an endomorphism and a multiple for each. Says only whether; which one is not is for Affine::is_in_subgroup.
// A point outside leaves a subset's sum outside for at least half of all subsets, however many others are outside too
// and whatever their (possibly small) orders: the sums with and without that point cannot both be inside.
// Source: Bellare, Garay, Rabin, "Fast batch verification" (1998), the random subset test.
#pragma once

#include <cstdint>
#include <pinion/bls12_381/curve.hpp>
#include <span>
#include <vector>

#include "run_sums.hpp"

namespace pinion::bls::simd {

// For one thread; its buffers are kept from call to call.
template <class Field>
class SubgroupCheck {
 public:
  // A wrong "yes" has a probability of at most 2^-32: eight subsets for each byte that a point is given.
  static constexpr std::size_t bytes_per_point = 4;

  // For calls with at most `most` points.
  explicit SubgroupCheck(std::size_t most, const Kernels& kernels = best_kernels());
  // Heap it takes. [any]
  static std::uint64_t bytes(std::size_t most, const Kernels& kernels = best_kernels());

  // All of `points`, which are on the curve, are in the subgroup. `random`: bytes_per_point a point, drawn after the
  // points were fixed. [any]
  bool all(std::span<const Affine<Field>> points, std::span<const std::uint8_t> random);

 private:
  static constexpr std::size_t subsets = 8;
  static constexpr std::size_t buckets = std::size_t{1} << subsets;

  // One pass: point i is in subset j when bit j of membership[i] is set.
  bool pass(std::span<const Affine<Field>> points, std::span<const std::uint8_t> membership);

  RunSums<Field> sums_;
  std::vector<PointRef> refs_;
  std::vector<Affine<Field>> bucket_sums_;
};

}  // namespace pinion::bls::simd
