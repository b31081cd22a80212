// Scalars as signed windows for Pippenger's method. A scalar s of Fr is first replaced by the smaller of s and r - s
// (the sign goes to bit 255), then s = sum of d_w 2^(c w) with digits -2^(c-1) <= d_w <= 2^(c-1): half as many buckets
// as unsigned digits need. Adding 2^(c-1) to every digit but the top one beforehand makes each a plain bit field.
#pragma once

#include <algorithm>
#include <cstdint>
#include <pinion/bls12_381/fr.hpp>

namespace pinion::bls::simd {

class SignedDigits {
 public:
  static constexpr unsigned scalar_bits = 254;  // of min(s, r - s)

  explicit constexpr SignedDigits(unsigned window_bits)
      : bits_(window_bits), windows_((scalar_bits + window_bits) / window_bits) {
    for (unsigned w = 0; w + 1 < windows_; ++w) {
      const unsigned bit = w * bits_ + bits_ - 1;
      offset_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }
  // The window size with the fewest additions for n scalars: n a window, and two for each of its buckets.
  static constexpr SignedDigits for_count(std::uint64_t n) {
    unsigned best = 3;
    for (unsigned bits = 3; bits <= 20; ++bits)
      if (SignedDigits(bits).additions(n) < SignedDigits(best).additions(n)) best = bits;
    return SignedDigits(best);
  }

  constexpr unsigned window_bits() const { return bits_; }
  constexpr unsigned windows() const { return windows_; }
  // Digits have magnitudes 1 … buckets().
  constexpr std::uint32_t buckets() const { return std::uint32_t{1} << (bits_ - 1); }

  constexpr Limbs recode(const Fr& scalar) const {
    Limbs s = scalar.to_canonical(), negated{};
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < 4; ++i) negated[i] = detail::sub_borrow(Fr::modulus()[i], s[i], borrow);
    const bool negative = std::lexicographical_compare(negated.rbegin(), negated.rend(), s.rbegin(), s.rend());
    if (negative) s = negated;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < 4; ++i) s[i] = detail::add_carry(s[i], offset_[i], carry);
    s[3] |= std::uint64_t{negative} << 63;
    return s;
  }

  // Magnitude of digit w, the sign in bit 31; 0 for a zero digit.
  constexpr std::uint32_t digit(const Limbs& recoded, unsigned w) const {
    const unsigned at = w * bits_, limb = at / 64, shift = at % 64;
    const std::uint64_t sign = recoded[3] >> 63;
    const auto value = [&](unsigned i) { return i == 3 ? recoded[3] & ~(std::uint64_t{1} << 63) : recoded[i]; };
    std::uint64_t field = value(limb) >> shift;
    if (shift + bits_ > 64 && limb < 3) field |= value(limb + 1) << (64 - shift);
    field &= (std::uint64_t{1} << bits_) - 1;
    const auto half = static_cast<std::int64_t>(w + 1 < windows_ ? buckets() : 0);
    const std::int64_t digit = static_cast<std::int64_t>(field) - half;
    if (digit == 0) return 0;
    const auto negative = static_cast<std::uint32_t>(sign ^ static_cast<std::uint64_t>(digit < 0));
    return static_cast<std::uint32_t>(digit < 0 ? -digit : digit) | negative << 31;
  }

 private:
  constexpr std::uint64_t additions(std::uint64_t n) const { return windows_ * (n + std::uint64_t{2} * buckets()); }

  unsigned bits_, windows_;
  Limbs offset_{};
};

}  // namespace pinion::bls::simd
