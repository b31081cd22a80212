// Batched additions and fixed-base multiples against one-by-one arithmetic, special cases included.
#include <catch2/catch.hpp>
#include <pinion/bls12_381/fixed_base.hpp>
#include <random>

using namespace pinion;
using namespace pinion::bls;

namespace {
Fr random_fr(std::mt19937_64& generator) {
  return Fr::from_canonical({generator(), generator(), generator(), generator() >> 2});
}
}  // namespace

TEMPLATE_TEST_CASE("batched additions cover every case", "", Fp, Fp2) {
  using Point = Affine<TestType>;
  const auto g = Jacobian<TestType>::generator();
  std::vector<Point> table;
  for (std::uint64_t k = 1; k <= 8; ++k) table.push_back((g * Fr::from_u64(k)).to_affine());
  // Start points -4 … 4 times g (0 is infinity) against digits -8 … 8: sums, doublings, opposites.
  std::vector<Point> sums;
  std::vector<std::int32_t> digits;
  std::vector<std::int64_t> expected;
  for (std::int32_t start = -4; start <= 4; ++start)
    for (std::int32_t digit = -8; digit <= 8; ++digit) {
      const auto point = g * Fr::from_u64(static_cast<std::uint64_t>(std::abs(start)));
      sums.push_back((start < 0 ? -point : point).to_affine());
      digits.push_back(digit);
      expected.push_back(start + digit);
    }
  std::vector<TestType> scratch(sums.size());
  add_multiples<TestType>(sums, table, digits, scratch);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto point = g * Fr::from_u64(static_cast<std::uint64_t>(std::abs(expected[i])));
    CHECK(sums[i] == (expected[i] < 0 ? -point : point).to_affine());
  }
  add_multiples<TestType>({}, table, {}, {});
}

TEMPLATE_TEST_CASE("multiples from a table", "", Fp, Fp2) {
  std::mt19937_64 generator(7);
  const auto base = (Jacobian<TestType>::generator() * random_fr(generator)).to_affine();
  SerialExecutor serial;
  for (const unsigned bits : {2U, 3U, 5U, 8U, 11U}) {
    INFO(bits);
    const FixedBaseTable<TestType> table(base, bits, serial);
    std::vector<Fr> scalars{
        Fr::zero(), Fr::one(), -Fr::one(), Fr::from_u64(2), Fr::from_u64(2).inverse(), -Fr::from_u64(2).inverse()};
    for (unsigned i = 0; i < 254; i += 3) scalars.push_back(Fr::from_u64(2).pow(i) - Fr::one());
    for (int i = 0; i < 40; ++i) scalars.push_back(random_fr(generator));
    std::vector<Affine<TestType>> out(scalars.size());
    table.multiply(scalars, out);
    for (std::size_t i = 0; i < scalars.size(); ++i)
      CHECK(out[i] == (Jacobian<TestType>(base) * scalars[i]).to_affine());
  }
}

TEST_CASE("wide windows pay when there are many multiples") {
  CHECK(FixedBaseG1::best_window_bits(1) < 5);
  CHECK(FixedBaseG1::best_window_bits(100000) < FixedBaseG1::best_window_bits(10000000));
  CHECK(FixedBaseG1::best_window_bits(1000000000) == 16);
}
