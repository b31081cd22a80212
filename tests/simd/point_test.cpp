#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <pinion/bls12_381/curve.hpp>
#include <pinion/bls12_381/simd/kernels.hpp>
#include <random>
#include <vector>

#include "multiples.hpp"

namespace {

using namespace pinion::bls;
using simd::negated_point;
using simd::PointRef;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
std::unique_ptr<void, Free> scratch(std::size_t bytes) {
  return std::unique_ptr<void, Free>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
}

template <class Field>
Affine<Field> named(const std::vector<Affine<Field>>& points, PointRef ref) {
  const Affine<Field>& point = points[ref & ~negated_point];
  return (ref & negated_point) != 0 && !point.is_infinity() ? -point : point;
}
template <class Field>
const std::uint64_t* words(const std::vector<Affine<Field>>& points) {
  return reinterpret_cast<const std::uint64_t*>(points.data());
}
template <class Field>
std::uint64_t* words(std::vector<Affine<Field>>& points) {
  return reinterpret_cast<std::uint64_t*>(points.data());
}

// Pairs of every sort: ordinary, equal, opposite, one or two infinite operands, in every lane.
std::vector<PointRef> pairs(std::size_t count, std::size_t points, PointRef infinity, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<PointRef> refs(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    PointRef* const pair = &refs[2 * i];
    for (int side = 0; side < 2; ++side)
      pair[side] = static_cast<PointRef>(random() % points) | ((random() & 1) != 0 ? negated_point : 0);
    switch (random() % 12) {
      case 0:
        pair[1] = pair[0];
        break;
      case 1:
        pair[1] = pair[0] ^ negated_point;
        break;
      case 2:
        pair[0] = infinity | (pair[0] & negated_point);
        break;
      case 3:
        pair[1] = infinity | (pair[1] & negated_point);
        break;
      case 4:
        pair[0] = pair[1] = infinity;
        pair[1] |= negated_point;
        break;
      default:
        break;
    }
  }
  return refs;
}

template <class Field>
void check_sums(const simd::PointKernels& kernels) {
  std::vector<Affine<Field>> points = multiples<Field>(97);
  points.push_back(Affine<Field>::infinity());
  const auto infinity = static_cast<PointRef>(points.size() - 1);
  const auto memory = scratch(kernels.scratch_bytes);
  std::vector<std::size_t> counts{100, 2047, 2049, 5000};
  for (std::size_t small = 0; small < 34; ++small) counts.push_back(small);
  for (const std::size_t count : counts) {
    const auto refs = pairs(count, points.size(), infinity, static_cast<unsigned>(count));
    std::vector<Affine<Field>> sums(count + 1, points[0]);
    kernels.add_pairs(words(points), refs.data(), count, words(sums), memory.get());
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(count, i, refs[2 * i], refs[2 * i + 1]);
      const Jacobian<Field> expected = Jacobian<Field>(named(points, refs[2 * i])) + named(points, refs[2 * i + 1]);
      REQUIRE(sums[i] == expected.to_affine());
    }
    REQUIRE(sums[count] == points[0]);  // nothing written beyond the last pair
  }
}

template <class Field>
void check_in_place(const simd::PointKernels& kernels) {
  constexpr std::size_t count = 3000;
  std::vector<Affine<Field>> points = multiples<Field>(2 * count), before = points;
  std::vector<PointRef> refs;
  for (PointRef i = 0; i < count; ++i) refs.insert(refs.end(), {i, static_cast<PointRef>(count + i)});
  const auto memory = scratch(kernels.scratch_bytes);
  kernels.add_pairs(words(points), refs.data(), count, words(points), memory.get());
  for (std::size_t i = 0; i < count; i += 37)
    REQUIRE(points[i] == (Jacobian<Field>(before[i]) + before[count + i]).to_affine());
}

void check_kernels(const simd::Kernels& kernels) {
  check_sums<Fp>(kernels.g1);
  check_sums<Fp2>(kernels.g2);
  check_in_place<Fp>(kernels.g1);
  check_in_place<Fp2>(kernels.g2);
}

}  // namespace

TEST_CASE("portable pair additions are complete") {
  check_kernels(simd::portable_kernels());
}

TEST_CASE("IFMA pair additions are complete") {
  if (simd::ifma_kernels() == nullptr) {
    WARN("skipped: no AVX-512 IFMA");
    return;
  }
  check_kernels(*simd::ifma_kernels());
}

TEST_CASE("the best kernels are the IFMA ones exactly where those run") {
  REQUIRE(&simd::best_kernels() ==
          (simd::ifma_kernels() != nullptr ? simd::ifma_kernels() : &simd::portable_kernels()));
}
