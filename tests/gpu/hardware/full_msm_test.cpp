// Sums of multiples at full size: of (i + 1) G with random scalars the answer is one multiple of G.
#include <catch2/catch.hpp>

#include "device.hpp"
#include "elements.hpp"
#include "msm_finish.hpp"
#include "points.hpp"

namespace {

using namespace pinion;

template <class Field>
void full(cuda::Curve curve, unsigned lg) {
  INFO("2^" << lg);
  const std::size_t size = std::size_t{1} << lg;
  test::DeviceBytes points(size * sizeof(bls::Affine<Field>));
  test::DeviceVector<bls::Fr> scalars(size), parts(cuda::check::evaluation_parts);
  const std::size_t least =
      std::max(cuda::msm_least_bytes(curve, size), size * sizeof(bls::Affine<Field>) / 2 * 3 + 256);
  test::DeviceArena arena(least);
  REQUIRE(cuda::check::fill_multiples(curve, points.get(), size, arena.arena, nullptr).ok());
  REQUIRE(cuda::check::fill_random(scalars.as<cuda::Fr>(), size, lg, nullptr).ok());
  REQUIRE(cuda::check::weighted_sum(scalars.as<cuda::Fr>(), size, parts.as<cuda::Fr>(), nullptr).ok());
  bls::Fr multiple = bls::Fr::zero();
  const auto all = parts.download();
  for (std::size_t i = 0; i < std::min(all.size(), size); ++i) multiple += all[i];
  cuda::MsmOutput out;
  const cuda::Status status =
      cuda::msm(curve, {points.get(), nullptr, scalars.as<cuda::Fr>(), size}, arena.arena, out, nullptr);
  INFO(status.sentence());
  REQUIRE(status.ok());
  std::vector<cuda::HostXyzz<Field>> sums(out.windows.count);
  test::download(static_cast<void*>(sums.data()), out.sums, sums.size() * sizeof sums[0]);
  CHECK(cuda::finish_msm<Field>(out.windows, sums) == bls::Jacobian<Field>::generator() * multiple);
}

}  // namespace

TEST_CASE("sums of multiples in G1 at full size") {
  for (const unsigned lg : {10U, 16U, 20U, 24U, 26U, 27U}) full<bls::Fp>(cuda::Curve::g1, lg);
}

TEST_CASE("sums of multiples in G2 at full size") {
  for (const unsigned lg : {10U, 16U, 20U, 22U}) full<bls::Fp2>(cuda::Curve::g2, lg);
}
