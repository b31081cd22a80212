#include <catch2/catch.hpp>
#include <pinion/bls12_381/encoding.hpp>
#include <pinion/bls12_381/simd/subgroup.hpp>
#include <random>

#include "multiples.hpp"

using namespace pinion::bls;

namespace {

// The first points of the curve outside the subgroup, by x = 1, 2, …
template <class Field>
std::vector<Affine<Field>> outsiders(std::size_t count) {
  std::vector<Affine<Field>> out;
  for (std::uint8_t x = 1; out.size() < count; ++x) {
    std::array<std::uint8_t, compressed_size<Affine<Field>>> bytes{};
    bytes.front() = 0x80;
    bytes.back() = x;
    const auto decoded = decode_compressed<Affine<Field>>(bytes, Check::curve);
    if (decoded && !decoded.point.is_in_subgroup()) out.push_back(decoded.point);
  }
  return out;
}

std::vector<std::uint8_t> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<std::uint8_t> out(count);
  for (auto& byte : out) byte = static_cast<std::uint8_t>(engine());
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("random subsets tell whether all points are in the subgroup", "[subgroup]", Fp, Fp2) {
  using Check = simd::SubgroupCheck<TestType>;
  constexpr std::size_t most = 700;
  const auto wrong = outsiders<TestType>(3);
  std::vector<const simd::Kernels*> all{&simd::portable_kernels()};
  if (simd::ifma_kernels() != nullptr) all.push_back(simd::ifma_kernels());
  for (const simd::Kernels* kernels : all) {
    Check check(most, *kernels);
    unsigned seed = 0;
    const auto passes = [&](const std::vector<Affine<TestType>>& points) {
      return check.all(points, random_bytes(Check::bytes_per_point * points.size(), ++seed));
    };
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{9}, most}) {
      auto points = multiples<TestType>(count);
      CHECK(passes(points));
      if (count == 0) continue;
      for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {
        const auto good = std::exchange(points[at], wrong[0]);
        CHECK_FALSE(passes(points));
        points[at] = good;
      }
      points[count / 2] = Affine<TestType>::infinity();
      CHECK(passes(points));
    }
    // Errors that cancel in the sum of all, and a set with nothing right in it.
    auto points = multiples<TestType>(most);
    points[3] = wrong[1];
    points[600] = -wrong[1];
    CHECK_FALSE(passes(points));
    CHECK_FALSE(passes(std::vector<Affine<TestType>>(most, wrong[2])));
  }
}
