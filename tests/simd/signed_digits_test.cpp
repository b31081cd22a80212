#include <catch2/catch.hpp>
#include <pinion/bls12_381/simd/signed_digits.hpp>
#include <random>
#include <vector>

using pinion::bls::Fr;
using pinion::bls::Limbs;
using pinion::bls::simd::SignedDigits;

TEST_CASE("signed digits add up to the scalar") {
  std::vector<Fr> scalars{Fr::zero(), Fr::one(), -Fr::one(), Fr::from_u64(2).inverse(), -Fr::from_u64(2).inverse()};
  for (unsigned bit = 1; bit < 255; ++bit) scalars.push_back(Fr::from_u64(2).pow(bit) - Fr::from_u64(bit % 3));
  std::mt19937_64 random(1);
  for (int i = 0; i < 50; ++i) scalars.push_back(Fr{{random(), random(), random(), random() >> 2}});
  for (unsigned bits = 3; bits <= 20; ++bits) {
    const SignedDigits digits(bits);
    CAPTURE(bits);
    REQUIRE(digits.windows() * bits >= 255);
    for (const Fr& scalar : scalars) {
      const Limbs recoded = digits.recode(scalar);
      Fr sum = Fr::zero();
      for (unsigned w = digits.windows(); w-- > 0;) {
        const std::uint32_t digit = digits.digit(recoded, w), magnitude = digit & 0x7fffffff;
        REQUIRE(magnitude <= digits.buckets());
        sum *= Fr::from_u64(std::uint64_t{1} << bits);
        sum += digit == magnitude ? Fr::from_u64(magnitude) : -Fr::from_u64(magnitude);
      }
      REQUIRE(sum == scalar);
    }
  }
}

TEST_CASE("more scalars make larger windows") {
  CHECK(SignedDigits::for_count(1).window_bits() < SignedDigits::for_count(1 << 12).window_bits());
  CHECK(SignedDigits::for_count(1 << 22).window_bits() == 17);
}
