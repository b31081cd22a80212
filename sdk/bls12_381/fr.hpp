// Fr: the scalar field of BLS12-381, modulus r = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001.
// Held as four 64-bit limbs, low limb first, in Montgomery form (R = 2^256) and always reduced: the layout of blst_fr,
// of the witness and of the device buffers. Usable in constant expressions; at run time products go to blst's assembly.
// Source of the algorithm: Montgomery 1985 (CIOS form); constants are blst's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

namespace pinion::bls {

using Limbs = std::array<std::uint64_t, 4>;
using Bytes32 = std::array<std::uint8_t, 32>;

namespace detail {
inline constexpr Limbs fr_modulus{0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48};
inline constexpr Limbs fr_r2{0xc999e990f3f29c6d, 0x2b6cedcb87925c23, 0x05d314967254398f, 0x0748d9d99f59ff11};
inline constexpr std::uint64_t fr_n0 = 0xfffffffeffffffff;  // -r^-1 mod 2^64

constexpr std::uint64_t add_carry(std::uint64_t a, std::uint64_t b, std::uint64_t& carry) {
  const unsigned __int128 sum = static_cast<unsigned __int128>(a) + b + carry;
  carry = static_cast<std::uint64_t>(sum >> 64);
  return static_cast<std::uint64_t>(sum);
}
constexpr std::uint64_t sub_borrow(std::uint64_t a, std::uint64_t b, std::uint64_t& borrow) {
  const unsigned __int128 difference = static_cast<unsigned __int128>(a) - b - borrow;
  borrow = static_cast<std::uint64_t>(difference >> 64) & 1;
  return static_cast<std::uint64_t>(difference);
}
// a + b * c + carry
constexpr std::uint64_t mul_add(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t& carry) {
  const unsigned __int128 sum = static_cast<unsigned __int128>(b) * c + a + carry;
  carry = static_cast<std::uint64_t>(sum >> 64);
  return static_cast<std::uint64_t>(sum);
}
// a - r if a >= r (a < 2r)
constexpr Limbs fr_reduce_once(const Limbs& a) {
  Limbs out{};
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < 4; ++i) out[i] = sub_borrow(a[i], fr_modulus[i], borrow);
  const std::uint64_t keep = 0 - borrow;  // all ones: a was already reduced
  for (std::size_t i = 0; i < 4; ++i) out[i] = (a[i] & keep) | (out[i] & ~keep);
  return out;
}
constexpr Limbs fr_mul(const Limbs& a, const Limbs& b) {
  std::array<std::uint64_t, 6> t{};
  for (std::size_t i = 0; i < 4; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < 4; ++j) t[j] = mul_add(t[j], a[j], b[i], carry);
    std::uint64_t top = 0;
    t[4] = add_carry(t[4], carry, top);
    const std::uint64_t m = t[0] * fr_n0;
    carry = 0;
    mul_add(t[0], m, fr_modulus[0], carry);
    for (std::size_t j = 1; j < 4; ++j) t[j - 1] = mul_add(t[j], m, fr_modulus[j], carry);
    std::uint64_t over = 0;
    t[3] = add_carry(t[4], carry, over);
    t[4] = top + over;
  }
  return fr_reduce_once({t[0], t[1], t[2], t[3]});
}
// blst's routines over raw limbs (fr.cpp)
void fr_mul_blst(std::uint64_t out[4], const std::uint64_t a[4], const std::uint64_t b[4]) noexcept;
void fr_sqr_blst(std::uint64_t out[4], const std::uint64_t a[4]) noexcept;
void fr_inverse_blst(std::uint64_t out[4], const std::uint64_t a[4]) noexcept;
}  // namespace detail

struct Fr {
  Limbs limb{};  // Montgomery form, reduced

  static constexpr Limbs modulus() { return detail::fr_modulus; }
  static constexpr unsigned bits = 255;
  static constexpr unsigned two_adicity = 32;

  static constexpr Fr zero() { return {}; }
  static constexpr Fr one() { return from_canonical({1, 0, 0, 0}); }
  static constexpr Fr from_u64(std::uint64_t value) { return from_canonical({value, 0, 0, 0}); }
  // `value` must be below r.
  static constexpr Fr from_canonical(const Limbs& value) { return Fr{detail::fr_mul(value, detail::fr_r2)}; }
  constexpr Limbs to_canonical() const { return detail::fr_mul(limb, {1, 0, 0, 0}); }

  // 32 bytes little-endian canonical; nothing when the value is r or more.
  static constexpr std::optional<Fr> from_bytes(std::span<const std::uint8_t, 32> bytes) {
    Limbs value{};
    for (std::size_t i = 0; i < 32; ++i) value[i / 8] |= std::uint64_t{bytes[i]} << (8 * (i % 8));
    if (!is_below_modulus(value)) return std::nullopt;
    return from_canonical(value);
  }
  constexpr Bytes32 to_bytes() const {
    Bytes32 out{};
    const Limbs value = to_canonical();
    for (std::size_t i = 0; i < 32; ++i) out[i] = static_cast<std::uint8_t>(value[i / 8] >> (8 * (i % 8)));
    return out;
  }
  static constexpr bool is_below_modulus(const Limbs& value) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < 4; ++i) detail::sub_borrow(value[i], detail::fr_modulus[i], borrow);
    return borrow == 1;
  }

  constexpr bool is_zero() const { return (limb[0] | limb[1] | limb[2] | limb[3]) == 0; }
  constexpr bool is_one() const { return *this == one(); }
  friend constexpr bool operator==(const Fr&, const Fr&) = default;

  friend constexpr Fr operator+(const Fr& a, const Fr& b) {
    Limbs sum{};
    std::uint64_t carry = 0;  // a, b < r < 2^255: the sum never leaves 256 bits
    for (std::size_t i = 0; i < 4; ++i) sum[i] = detail::add_carry(a.limb[i], b.limb[i], carry);
    return Fr{detail::fr_reduce_once(sum)};
  }
  friend constexpr Fr operator-(const Fr& a, const Fr& b) {
    Fr out;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < 4; ++i) out.limb[i] = detail::sub_borrow(a.limb[i], b.limb[i], borrow);
    const std::uint64_t wrap = 0 - borrow;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < 4; ++i)
      out.limb[i] = detail::add_carry(out.limb[i], detail::fr_modulus[i] & wrap, carry);
    return out;
  }
  friend constexpr Fr operator-(const Fr& a) { return zero() - a; }
  friend constexpr Fr operator*(const Fr& a, const Fr& b) {
    if (std::is_constant_evaluated()) return Fr{detail::fr_mul(a.limb, b.limb)};
    Fr out;
    detail::fr_mul_blst(out.limb.data(), a.limb.data(), b.limb.data());
    return out;
  }
  constexpr Fr& operator+=(const Fr& b) { return *this = *this + b; }
  constexpr Fr& operator-=(const Fr& b) { return *this = *this - b; }
  constexpr Fr& operator*=(const Fr& b) { return *this = *this * b; }
  constexpr Fr doubled() const { return *this + *this; }
  constexpr Fr squared() const {
    if (std::is_constant_evaluated()) return Fr{detail::fr_mul(limb, limb)};
    Fr out;
    detail::fr_sqr_blst(out.limb.data(), limb.data());
    return out;
  }
  // this^exponent, exponent in little-endian limbs of any length.
  constexpr Fr pow(std::span<const std::uint64_t> exponent) const {
    Fr out = one();
    for (std::size_t i = exponent.size() * 64; i-- > 0;) {
      out = out.squared();
      if ((exponent[i / 64] >> (i % 64)) & 1) out *= *this;
    }
    return out;
  }
  constexpr Fr pow(std::uint64_t exponent) const { return pow(std::span<const std::uint64_t>(&exponent, 1)); }
  // Multiplicative inverse; zero maps to zero.
  constexpr Fr inverse() const {
    if (std::is_constant_evaluated()) {
      Limbs exponent = detail::fr_modulus;
      exponent[0] -= 2;
      return pow(exponent);
    }
    Fr out;
    detail::fr_inverse_blst(out.limb.data(), limb.data());
    return out;
  }

  static constexpr Fr generator() { return from_u64(7); }
  // 7^((r-1)/2^32), of order 2^32.
  static constexpr Fr root_of_unity() {
    return Fr{{0xb9b58d8c5f0e466a, 0x5b1b4c801819d7ec, 0x0af53ae352a31e64, 0x5bf3adda19e9b27b}};
  }
};
static_assert(sizeof(Fr) == 32 && std::is_trivially_copyable_v<Fr>);
static_assert(Fr::one().to_canonical() == Limbs{1, 0, 0, 0});

}  // namespace pinion::bls
