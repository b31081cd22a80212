#include <catch2/catch.hpp>
#include <pinion/bls12_381/fr.hpp>

using pinion::bls::Fr;

TEST_CASE("constant evaluation and blst agree") {
  constexpr Fr seven = Fr::from_u64(7);
  constexpr Fr expected = seven.pow(1000);
  constexpr Fr inverse = expected.inverse();
  volatile std::uint64_t exponent = 1000;
  REQUIRE(Fr::from_u64(7).pow(exponent) == expected);
  Fr runtime = Fr::from_u64(exponent - 993).pow(1000);
  REQUIRE(runtime.inverse() == inverse);
  REQUIRE((runtime * runtime.inverse()).is_one());
  REQUIRE(Fr::zero().inverse().is_zero());
}

TEST_CASE("the root of unity has order 2^32") {
  Fr root = Fr::root_of_unity();
  for (unsigned i = 0; i < Fr::two_adicity - 1; ++i) root = root.squared();
  REQUIRE(root == -Fr::one());
}
