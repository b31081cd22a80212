// Eight encodings at once decode as one by one, and hand back exactly those that are not plain points.
#include <catch2/catch.hpp>
#include <cstring>
#include <pinion/bls12_381/simd/kernels.hpp>

#include "read.hpp"

using namespace pinion::bls;
using namespace pinion::test;
using nlohmann::json;

namespace {

template <class Point>
const simd::PointKernels& point_kernels(const simd::Kernels& kernels) {
  return std::is_same_v<Point, G1Affine> ? kernels.g1 : kernels.g2;
}

// All encodings of the vectors, good and bad, in an order that puts them into different lanes.
template <class Point>
std::vector<std::array<std::uint8_t, sizeof(Point)>> encodings() {
  const json all = read_json(small_vectors_dir() / "prims/curve.json");
  const json& group = all[std::is_same_v<Point, G1Affine> ? "g1" : "g2"];
  std::vector<std::array<std::uint8_t, sizeof(Point)>> out;
  for (const json& item : group["decode_uncompressed"]) out.push_back(read_bytes<sizeof(Point)>(item["bytes"]));
  for (const json& item : group["multiples"]) out.push_back(read_bytes<sizeof(Point)>(item["u"]));
  while (out.size() % 8 != 3) out.push_back(out[out.size() / 2]);
  const std::size_t once = out.size();
  for (std::size_t i = 0; i < 7 * once; ++i) out.push_back(out[i % once]);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("eight encodings at once", "", G1Affine, G2Affine) {
  const auto all = encodings<TestType>();
  REQUIRE(all.size() % 8 == 0);
  std::vector<const simd::Kernels*> kinds{&simd::portable_kernels()};
  if (simd::ifma_kernels() != nullptr) kinds.push_back(simd::ifma_kernels());
  for (const simd::Kernels* kernels : kinds) {
    INFO(kernels->name);
    for (std::size_t at = 0; at < all.size(); at += 8) {
      std::array<TestType, 8> points;
      std::memcpy(points.data(), all[at].data(), sizeof points);
      auto* const words = reinterpret_cast<std::uint64_t*>(points.data());
      const unsigned odd =
          point_kernels<TestType>(*kernels).decode_eight(reinterpret_cast<const std::uint8_t*>(words), words);
      for (std::size_t lane = 0; lane < 8; ++lane) {
        const auto expected = decode_uncompressed<TestType>(all[at + lane], Check::curve);
        const bool plain = expected && !expected.point.x.is_zero();
        CHECK((odd >> lane & 1) == (plain ? 0 : 1));
        if (plain) CHECK(points[lane] == expected.point);
        if (!plain) CHECK(std::memcmp(&points[lane], all[at + lane].data(), sizeof(TestType)) == 0);
      }
    }
  }
}
