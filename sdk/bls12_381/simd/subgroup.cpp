#include "subgroup.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace pinion::bls::simd {

template <class Field>
SubgroupCheck<Field>::SubgroupCheck(std::size_t most, const Kernels& kernels)
    : sums_(kernels, std::max(most, subsets * buckets / 2)), bucket_sums_(buckets) {
  refs_.reserve(most);
}

template <class Field>
std::uint64_t SubgroupCheck<Field>::bytes(std::size_t most, const Kernels& kernels) {
  return RunSums<Field>::bytes(kernels, std::max(most, subsets * buckets / 2)) + most * sizeof(PointRef) +
         buckets * sizeof(Affine<Field>);
}

template <class Field>
bool SubgroupCheck<Field>::all(std::span<const Affine<Field>> points, std::span<const std::uint8_t> random) {
  assert(random.size() == bytes_per_point * points.size());
  for (std::size_t k = 0; k < bytes_per_point; ++k)
    if (!pass(points, random.subspan(k * points.size(), points.size()))) return false;
  return true;
}

// Points of equal membership are summed once, and the subsets' sums are made of those: an addition a point, not four.
template <class Field>
bool SubgroupCheck<Field>::pass(std::span<const Affine<Field>> points, std::span<const std::uint8_t> membership) {
  std::array<std::uint32_t, buckets> lengths{};
  for (const std::uint8_t bucket : membership) ++lengths[bucket];
  std::array<std::uint32_t, buckets> next{};
  for (std::size_t b = 1; b < buckets; ++b) next[b] = next[b - 1] + lengths[b - 1];
  refs_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) refs_[next[membership[i]]++] = static_cast<PointRef>(i);
  sums_.sum(points.data(), refs_, lengths, bucket_sums_);

  std::array<PointRef, subsets * buckets / 2> members;
  std::array<std::uint32_t, subsets> sizes;
  sizes.fill(buckets / 2);
  std::size_t at = 0;
  for (std::size_t j = 0; j < subsets; ++j)
    for (std::size_t b = 0; b < buckets; ++b)
      if ((b >> j & 1) != 0) members[at++] = static_cast<PointRef>(b);
  std::array<Affine<Field>, subsets> subset_sums;
  sums_.sum(bucket_sums_.data(), members, sizes, subset_sums);
  return std::all_of(subset_sums.begin(), subset_sums.end(), [](const auto& sum) { return sum.is_in_subgroup(); });
}

template class SubgroupCheck<Fp>;
template class SubgroupCheck<Fp2>;

}  // namespace pinion::bls::simd
