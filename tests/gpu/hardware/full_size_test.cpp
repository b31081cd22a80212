// Transforms at sizes where no CPU reference is run: identities. Each size: evaluation at points of the domain by
// Horner's rule, and there and back again.
#include <catch2/catch.hpp>

#include "device.hpp"
#include "elements.hpp"

namespace {

using namespace pinion;
using cuda::Transform;

bls::Fr value_at(test::DeviceVector<bls::Fr>& coefficients, unsigned lg, bool permuted, const bls::Fr& point) {
  test::DeviceVector<bls::Fr> at(std::vector<bls::Fr>{point}), parts(cuda::check::evaluation_parts);
  REQUIRE(
      cuda::check::evaluate(coefficients.as<cuda::Fr>(), lg, permuted, at.as<cuda::Fr>(), parts.as<cuda::Fr>(), nullptr)
          .ok());
  bls::Fr sum = bls::Fr::zero();
  const auto all = parts.download();
  for (std::size_t i = 0; i < std::min(all.size(), std::size_t{1} << lg); ++i) sum += all[i];
  return sum;
}

bls::Fr element(test::DeviceVector<bls::Fr>& data, std::size_t i) {
  bls::Fr out;
  test::require(cudaMemcpy(static_cast<void*>(&out), data.get() + i, sizeof out, cudaMemcpyDeviceToHost), "download");
  return out;
}

}  // namespace

TEST_CASE("transforms at full size") {
  const unsigned lg = GENERATE(16U, 18U, 19U, 20U, 21U, 22U, 23U, 24U, 25U, 26U, 27U, 28U);
  INFO("2^" << lg);
  const std::size_t size = std::size_t{1} << lg;
  test::DeviceArena arena(cuda::Ntt::table_bytes(lg));
  cuda::Ntt ntt;
  REQUIRE(ntt.build(lg, arena.arena, nullptr).ok());
  test::DeviceVector<bls::Fr> data(size);
  cuda::Fr* const x = data.as<cuda::Fr>();
  const auto run = [&](Transform transform) { REQUIRE(ntt.run(transform, x, nullptr).ok()); };
  const auto different_from = [&](std::uint64_t seed) {
    test::DeviceVector<std::uint32_t> counter(std::vector<std::uint32_t>{0});
    REQUIRE(cuda::check::count_different(x, size, seed, counter.as<unsigned>(), nullptr).ok());
    return counter.download()[0];
  };
  bls::Fr root = bls::Fr::root_of_unity();
  for (unsigned i = lg; i < bls::Fr::two_adicity; ++i) root = root.squared();
  const std::size_t probe = size / 3 * 2 + 12345;
  const bls::Fr point = root.pow(probe);

  // Read as natural coefficients, then as permuted ones.
  REQUIRE(cuda::check::fill_random(x, size, lg, nullptr).ok());
  const bls::Fr natural = value_at(data, lg, false, point);
  const bls::Fr permuted = value_at(data, lg, true, point);
  const bls::Fr coset = value_at(data, lg, true, point * bls::Fr::generator());
  run(Transform::forward_to_natural);
  CHECK(element(data, probe) == permuted);
  run(Transform::inverse_to_permuted);
  CHECK(different_from(lg) == 0);
  run(Transform::coset_forward_to_natural);
  CHECK(element(data, probe) == coset);
  run(Transform::coset_inverse_to_permuted);
  CHECK(different_from(lg) == 0);
  run(Transform::forward_to_permuted);
  std::size_t position = 0;  // of the probe
  while (cuda::permuted_index(lg, position) != probe) ++position;
  CHECK(element(data, position) == natural);
  run(Transform::inverse_to_natural);
  CHECK(different_from(lg) == 0);
}
