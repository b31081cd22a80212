// Numbers cut into 52-bit limbs at compile time: what the vector fields need to know of their moduli. Only constants;
// the vector code itself is in ifma_field.hpp.
#pragma once

#include <cstdint>

namespace pinion::bls::simd {

inline constexpr int limb_bits = 52;
inline constexpr std::uint64_t limb_mask = (std::uint64_t{1} << limb_bits) - 1;

template <int Limbs>
struct Limbs52 {
  std::uint64_t v[Limbs];
};

// `words` is little-endian, 64 bits each.
template <int Limbs, int Words>
constexpr Limbs52<Limbs> cut(const std::uint64_t (&words)[Words]) {
  Limbs52<Limbs> out{};
  for (int bit = 0; bit < Words * 64 && bit < Limbs * limb_bits; ++bit)
    out.v[bit / limb_bits] |= (words[bit / 64] >> (bit % 64) & 1) << (bit % limb_bits);
  return out;
}

// a + b, below 2^(52 Limbs)
template <int Limbs>
constexpr Limbs52<Limbs> sum(const Limbs52<Limbs>& a, const Limbs52<Limbs>& b) {
  Limbs52<Limbs> out{};
  std::uint64_t carry = 0;
  for (int i = 0; i < Limbs; ++i) {
    const std::uint64_t limb = a.v[i] + b.v[i] + carry;
    out.v[i] = limb & limb_mask;
    carry = limb >> limb_bits;
  }
  return out;
}

// 2^(52 Limbs) - a, for a > 0
template <int Limbs>
constexpr Limbs52<Limbs> complement(const Limbs52<Limbs>& a) {
  Limbs52<Limbs> inverted{};
  for (int i = 0; i < Limbs; ++i) inverted.v[i] = ~a.v[i] & limb_mask;
  Limbs52<Limbs> one{};
  one.v[0] = 1;
  return sum(inverted, one);
}

template <int Limbs>
constexpr bool at_least(const Limbs52<Limbs>& a, const Limbs52<Limbs>& b) {
  for (int i = Limbs; i-- > 0;)
    if (a.v[i] != b.v[i]) return a.v[i] > b.v[i];
  return true;
}

// 2^exponent mod p, for 2p below 2^(52 Limbs)
template <int Limbs>
constexpr Limbs52<Limbs> power_of_two(int exponent, const Limbs52<Limbs>& p) {
  Limbs52<Limbs> out{};
  out.v[0] = 1;
  for (int i = 0; i < exponent; ++i) {
    out = sum(out, out);
    if (at_least(out, p)) out = sum(out, complement(p));
  }
  return out;
}

// -1/p mod 2^52 for odd p, by Newton's iteration
constexpr std::uint64_t negative_inverse(std::uint64_t p) {
  std::uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - p * inverse;
  return (0 - inverse) & limb_mask;
}

// The moduli of BLS12-381, 64-bit words, low first.
inline constexpr std::uint64_t fp_words[6] = {0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
                                              0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a};
inline constexpr std::uint64_t fr_words[4] = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805,
                                              0x73eda753299d7d48};

// One prime field on 52-bit limbs. Elements in memory are Words 64-bit words in Montgomery form with R = 2^(64 Words),
// blst's form; on limbs the natural radix is 2^(52 Limbs) = R * 2^shift.
template <int Limbs, int Words>
struct PrimeField {
  static constexpr int limbs = Limbs;
  static constexpr int words = Words;
  static constexpr int shift = Limbs * limb_bits - Words * 64;
  Limbs52<Limbs> p;
  std::uint64_t n0;
  constexpr explicit PrimeField(const std::uint64_t (&modulus)[Words])
      : p(cut<Limbs>(modulus)), n0(negative_inverse(p.v[0])) {}
};
inline constexpr PrimeField<8, 6> fp52{fp_words};
inline constexpr PrimeField<5, 4> fr52{fr_words};
static_assert(fp52.shift == 32 && fr52.shift == 4);

}  // namespace pinion::bls::simd
