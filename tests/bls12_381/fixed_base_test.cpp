// Fixed-base multiples against one-by-one arithmetic, on both kinds of kernels.
#include <catch2/catch.hpp>
#include <pinion/bls12_381/simd/fixed_base.hpp>
#include <random>

using namespace pinion;
using namespace pinion::bls;
using namespace pinion::bls::simd;

namespace {
Fr random_fr(std::mt19937_64& generator) {
  return Fr::from_canonical({generator(), generator(), generator(), generator() >> 2});
}
}  // namespace

TEMPLATE_TEST_CASE("multiples from a table", "", Fp, Fp2) {
  std::mt19937_64 generator(7);
  const auto base = (Jacobian<TestType>::generator() * random_fr(generator)).to_affine();
  SerialExecutor serial;
  for (const unsigned bits : {2U, 3U, 5U, 8U, 11U}) {
    INFO(bits);
    const FixedBaseTable<TestType> table(base, bits, serial), plain(base, bits, serial, portable_kernels());
    std::vector<Fr> scalars{
        Fr::zero(), Fr::one(), -Fr::one(), Fr::from_u64(2), Fr::from_u64(2).inverse(), -Fr::from_u64(2).inverse()};
    for (unsigned i = 0; i < 254; i += 3) scalars.push_back(Fr::from_u64(2).pow(i) - Fr::one());
    for (int i = 0; i < 600; ++i) scalars.push_back(random_fr(generator));
    std::vector<Affine<TestType>> out(scalars.size());
    table.multiply(scalars, out);
    for (std::size_t i = 0; i < scalars.size(); ++i)
      CHECK(out[i] == (Jacobian<TestType>(base) * scalars[i]).to_affine());
    std::vector<Affine<TestType>> again(scalars.size());
    plain.multiply(scalars, again);
    CHECK(again == out);
  }
}

TEST_CASE("wide windows pay when there are many multiples") {
  CHECK(FixedBaseG1::best_window_bits(1) < 5);
  CHECK(FixedBaseG1::best_window_bits(100000) < FixedBaseG1::best_window_bits(10000000));
  CHECK(FixedBaseG1::best_window_bits(1000000000) == 16);
}
