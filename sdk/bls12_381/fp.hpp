// Fp and Fp2: the coordinate fields of BLS12-381. Fp has modulus
// p = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab;
// Fp2 = Fp[u]/(u^2 + 1) = c0 + c1 u. Six 64-bit limbs, low limb first, in Montgomery form (R = 2^384), always reduced:
// the layout of blst_fp and blst_fp2. Thin over blst: for single operations, setup code and tests; kernels that stream
// through millions of elements bring their own inner loops.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

namespace pinion::bls {

using Bytes48 = std::array<std::uint8_t, 48>;

struct Fp {
  std::array<std::uint64_t, 6> limb{};  // Montgomery form, reduced

  static constexpr Fp zero() { return {}; }
  static constexpr Fp one() {
    return Fp{{0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba, 0x77ce585370525745, 0x5c071a97a256ec6d,
               0x15f65ec3fa80e493}};
  }
  // 48 bytes big-endian canonical; nothing when the value is p or more. [any]
  static std::optional<Fp> from_bytes(std::span<const std::uint8_t, 48> bytes) noexcept;
  Bytes48 to_bytes() const noexcept;

  constexpr bool is_zero() const { return (limb[0] | limb[1] | limb[2] | limb[3] | limb[4] | limb[5]) == 0; }
  friend constexpr bool operator==(const Fp&, const Fp&) = default;
  friend Fp operator+(const Fp& a, const Fp& b) noexcept;
  friend Fp operator-(const Fp& a, const Fp& b) noexcept;
  friend Fp operator-(const Fp& a) noexcept;
  friend Fp operator*(const Fp& a, const Fp& b) noexcept;
  Fp squared() const noexcept;
  // Multiplicative inverse; zero maps to zero.
  Fp inverse() const noexcept;
  // One of the two roots, or nothing for a non-residue.
  std::optional<Fp> sqrt() const noexcept;
};

struct Fp2 {
  Fp c0, c1;

  static constexpr Fp2 zero() { return {}; }
  static constexpr Fp2 one() { return {Fp::one(), Fp::zero()}; }
  constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  friend constexpr bool operator==(const Fp2&, const Fp2&) = default;
  friend Fp2 operator+(const Fp2& a, const Fp2& b) noexcept;
  friend Fp2 operator-(const Fp2& a, const Fp2& b) noexcept;
  friend Fp2 operator-(const Fp2& a) noexcept;
  friend Fp2 operator*(const Fp2& a, const Fp2& b) noexcept;
  Fp2 squared() const noexcept;
  Fp2 inverse() const noexcept;
  std::optional<Fp2> sqrt() const noexcept;
};

static_assert(sizeof(Fp) == 48 && std::is_trivially_copyable_v<Fp>);
static_assert(sizeof(Fp2) == 96 && std::is_trivially_copyable_v<Fp2>);

}  // namespace pinion::bls
