#include <blst.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <pinion/bls12_381/fp.hpp>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/bls12_381/simd/kernels.hpp>
#include <random>
#include <vector>

#include "field_probe.hpp"

namespace {

using pinion::bls::Fp;
using pinion::bls::Fr;
using pinion::test::FieldProbe;

// Elements where carries, borrows and reductions happen, then random ones: 64 in all.
template <class F>
std::vector<F> interesting(const F& one) {
  const F minus_one = F::zero() - one;
  F tiny{};
  tiny.limb[0] = 1;                    // the representation 1, not the number
  const F all_but = F::zero() - tiny;  // the representation p - 1
  F ones{};                            // every low limb full
  for (auto& limb : ones.limb) limb = ~std::uint64_t{0};
  ones.limb.back() = 0x0fffffffffffffff;
  std::vector<F> out{F::zero(), one, minus_one, tiny, all_but, ones, one + one, minus_one + minus_one};
  std::mt19937_64 random(20);
  while (out.size() < 64) {
    F x{};
    for (auto& limb : x.limb) limb = random();
    x.limb.back() &= 0x0fffffffffffffff;  // below both moduli
    out.push_back(x);
  }
  return out;
}

template <class F, class Expected>
void check(const FieldProbe& probe, FieldProbe::Binary FieldProbe::*operation, const std::vector<F>& values,
           Expected&& expected) {
  for (std::size_t a = 0; a < values.size(); a += 8)
    for (std::size_t shift = 0; shift < values.size(); ++shift) {
      std::vector<F> x(values.begin() + static_cast<std::ptrdiff_t>(a),
                       values.begin() + static_cast<std::ptrdiff_t>(a) + 8),
          y(8), out(8);
      for (std::size_t lane = 0; lane < 8; ++lane) y[lane] = values[(a + lane + shift) % values.size()];
      (probe.*operation)(x[0].limb.data(), y[0].limb.data(), out[0].limb.data());
      for (std::size_t lane = 0; lane < 8; ++lane) {
        CAPTURE(a, shift, lane);
        REQUIRE(out[lane] == expected(x[lane], y[lane]));
      }
    }
}

template <class F>
void check_all(const FieldProbe& probe, const F& one) {
  const std::vector<F> values = interesting(one);
  check(probe, &FieldProbe::mul, values, [](const F& a, const F& b) { return a * b; });
  check(probe, &FieldProbe::add, values, [](const F& a, const F& b) { return a + b; });
  check(probe, &FieldProbe::sub, values, [](const F& a, const F& b) { return a - b; });
  check(probe, &FieldProbe::square, values, [](const F& a, const F&) { return a * a; });
  check(probe, &FieldProbe::mul_sum, values, [](const F& a, const F& b) { return a * b + a * b; });
  check(probe, &FieldProbe::sub_twice, values, [](const F& a, const F& b) { return a - b - b; });
  check(probe, &FieldProbe::negate_if, values, [](const F& a, const F& b) { return b.is_zero() ? F::zero() - a : a; });
  check(probe, &FieldProbe::same_or_zero, values, [](const F& a, const F& b) { return a == b ? a : F::zero(); });
}

template <class F>
F lazily(F a, const F& b) {
  for (int layer = 0; layer < 14; ++layer) a = a + a * b;
  return a - a * b;
}

}  // namespace

TEST_CASE("portable lanes compute what the fields define") {
  check_all(pinion::test::fp_portable(), Fp::one());
  check_all(pinion::test::fr_portable(), Fr::one());
}

TEST_CASE("IFMA lanes compute what the fields define") {
  if (pinion::bls::simd::ifma_kernels() == nullptr) {
    WARN("skipped: no AVX-512 IFMA");
    return;
  }
  check_all(pinion::test::fp_ifma(), Fp::one());
  check_all(pinion::test::fr_ifma(), Fr::one());
}

TEST_CASE("IFMA lanes stay exact while unreduced values grow") {
  if (pinion::bls::simd::ifma_kernels() == nullptr) {
    WARN("skipped: no AVX-512 IFMA");
    return;
  }
  check(pinion::test::fr_ifma(), &FieldProbe::lazy, interesting(Fr::one()), lazily<Fr>);
}
