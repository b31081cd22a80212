// Field arithmetic of the kernels, on the CPU: the same source, its PTX instructions emulated, against blst.
#include <bit>
#include <catch2/catch.hpp>
#include <pinion/bls12_381/fp.hpp>
#include <pinion/bls12_381/fr.hpp>
#include <random>
#include <vector>

#include "fp_inverse.cuh"
#include "fr.cuh"
#include "fr_factor.cuh"

namespace {

using namespace pinion;

template <class To, class From>
To as(const From& from) {
  return std::bit_cast<To>(from);
}

// Random residues, and those at the edges: 0, 1, modulus - 1, words of all ones, lone bits.
template <class Field, std::size_t words>
std::vector<Field> residues(const std::array<std::uint64_t, words>& modulus, std::size_t random) {
  std::mt19937_64 generator(20261129);
  std::vector<Field> out;
  const auto push_if_below = [&](std::array<std::uint64_t, words> limbs) {
    if (std::lexicographical_compare(limbs.rbegin(), limbs.rend(), modulus.rbegin(), modulus.rend()))
      out.push_back(as<Field>(limbs));
  };
  auto last = modulus;
  --last[0];
  push_if_below({});
  push_if_below({1});
  push_if_below(last);
  for (std::size_t word = 0; word < 2 * words; ++word) {
    std::array<std::uint64_t, words> lone{}, holed = last;
    lone[word / 2] = word % 2 != 0 ? 0xffffffff00000000 : 0xffffffff;
    holed[word / 2] &= word % 2 != 0 ? 0xffffffff : 0xffffffff00000000;
    push_if_below(lone);
    push_if_below(holed);
  }
  while (random > 0) {
    std::array<std::uint64_t, words> limbs;
    for (auto& limb : limbs) limb = generator();
    limbs.back() >>= words == 4 ? 1 : 3;
    const std::size_t before = out.size();
    push_if_below(limbs);
    random -= out.size() - before;
  }
  return out;
}

const std::array<std::uint64_t, 6> p{0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
                                     0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a};

}  // namespace

TEST_CASE("Fr on the device: sum, difference, product") {
  const auto values = residues<bls::Fr>(bls::Fr::modulus(), 300);
  std::size_t wrong = 0;
  for (const bls::Fr& a : values)
    for (const bls::Fr& b : values) {
      const auto x = as<cuda::Fr>(a), y = as<cuda::Fr>(b);
      wrong += as<bls::Fr>(x * y) != a * b;
      wrong += as<bls::Fr>(x + y) != a + b;
      wrong += as<bls::Fr>(x - y) != a - b;
      // The same modulo 2 r, with arguments on both sides of r.
      const cuda::Fr u = cuda::lazy::add(x, y), v = cuda::lazy::add(u, x), w = cuda::lazy::sub(y, u);
      wrong += as<bls::Fr>(cuda::lazy::reduced(v)) != a + b + a;
      wrong += as<bls::Fr>(cuda::lazy::reduced(w)) != -a;
      wrong += as<bls::Fr>(u * y) != (a + b) * b;
      wrong += as<bls::Fr>(w * x) != -(a * a);
    }
  CHECK(wrong == 0);
  CHECK(as<bls::Fr>(cuda::fr_one()) == bls::Fr::one());
  CHECK(as<bls::Fr>(cuda::fr_pow(as<cuda::Fr>(values.back()), 0x123456789)) == values.back().pow(0x123456789));
  CHECK(as<bls::Limbs>(cuda::from_montgomery(as<cuda::Fr>(values.back()))) == values.back().to_canonical());
}

TEST_CASE("Fr on the device: products with known factors") {
  const auto values = residues<bls::Fr>(bls::Fr::modulus(), 300);
  std::size_t wrong = 0;
  const auto unit = as<bls::Fr>(bls::Limbs{1});
  const auto all_ones = as<bls::Fr>(std::array<std::uint32_t, 8>{~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U});
  for (const bls::Fr& w : values) {
    const cuda::FrFactor factor = cuda::factor_of(as<cuda::Fr>(w));
    wrong += as<bls::Limbs>(factor.value) != w.to_canonical();
    for (const bls::Fr& a : values) {
      const auto x = as<cuda::Fr>(a), twice = cuda::lazy::add(x, x);
      wrong += as<bls::Fr>(cuda::lazy::reduced(x * factor)) != a * w;
      wrong += as<bls::Fr>(cuda::lazy::reduced(twice * factor)) != (a + a) * w;
    }
    // The largest argument, 2^256 - 1, stands for 1 - 2^-256.
    wrong += as<bls::Fr>(cuda::lazy::reduced(as<cuda::Fr>(all_ones) * factor)) != (bls::Fr::one() - unit) * w;
  }
  bls::Fr fourth_root = bls::Fr::root_of_unity();
  for (unsigned i = 2; i < bls::Fr::two_adicity; ++i) fourth_root = fourth_root.squared();
  for (const bls::Fr& a : values) {
    const auto x = as<cuda::Fr>(a), twice = cuda::lazy::add(x, x);
    wrong += as<bls::Fr>(cuda::lazy::reduced(cuda::times_fourth_root(x))) != a * fourth_root;
    wrong += as<bls::Fr>(cuda::lazy::reduced(cuda::times_fourth_root(twice))) != (a + a) * fourth_root;
  }
  wrong += as<bls::Fr>(cuda::lazy::reduced(cuda::times_fourth_root(as<cuda::Fr>(all_ones)))) !=
           (bls::Fr::one() - unit) * fourth_root;
  CHECK(wrong == 0);
}

TEST_CASE("Fp on the device: sum, difference, product, square") {
  const auto values = residues<bls::Fp>(p, 200);
  std::size_t wrong = 0;
  for (const bls::Fp& a : values) {
    const auto x = as<cuda::Fp>(a);
    wrong += as<bls::Fp>(square(x)) != a.squared();
    wrong += as<bls::Fp>(cuda::negate_if(x, true)) != -a;
    for (const bls::Fp& b : values) {
      const auto y = as<cuda::Fp>(b);
      wrong += as<bls::Fp>(x * y) != a * b;
      wrong += as<bls::Fp>(x + y) != a + b;
      wrong += as<bls::Fp>(x - y) != a - b;
    }
  }
  CHECK(wrong == 0);
  CHECK(as<bls::Fp>(cuda::fp_one()) == bls::Fp::one());
}

TEST_CASE("Fp on the device: inverse") {
  std::size_t wrong = 0;
  for (const bls::Fp& a : residues<bls::Fp>(p, 3000)) {
    const auto inverse = as<bls::Fp>(cuda::inverted(as<cuda::Fp>(a)));
    wrong += a * inverse != (a == bls::Fp::zero() ? a : bls::Fp::one());
    wrong += as<bls::Fp>(cuda::inverted(as<cuda::Fp>(inverse))) != a;
  }
  CHECK(wrong == 0);
}

TEST_CASE("Fp on the device: sums of products with one reduction") {
  const auto values = residues<bls::Fp>(p, 60);
  std::size_t wrong = 0;
  const auto at = [&](std::size_t i) { return values[i % values.size()]; };
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j) {
      const bls::Fp a = at(i), b = at(j), c = at(3 * i + j), d = at(i + 5 * j);
      const auto w = as<cuda::Fp>(a), x = as<cuda::Fp>(b), y = as<cuda::Fp>(c), z = as<cuda::Fp>(d);
      wrong += as<bls::Fp>(cuda::sum_of_products(w, x, y, z)) != a * b + c * d;
      wrong += as<bls::Fp>(cuda::sum_of_products(w, x, y, z, w, w, x, z)) != (a * b + c * d) + (a * a + b * d);
    }
  CHECK(wrong == 0);
  const auto largest = as<cuda::Fp>(values[2]);
  const bls::Fp square = values[2] * values[2], twice = square + square;
  CHECK(as<bls::Fp>(cuda::sum_of_products(largest, largest, largest, largest, largest, largest, largest, largest)) ==
        twice + twice);
}
