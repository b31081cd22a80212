// The inverse in Fp by divsteps, for batches: as long as 24 products (0.85 G/s on an H200) where a power takes 500.
// Data decide only when it ends, so that a warp's lanes stay together. Source: Bernstein and Yang, "Fast constant-time
// gcd computation and modular inversion" (2019), with Wuille's half delta, in the form of libsecp256k1's modinv32:
// thirty steps on the low words give a matrix, which is then applied to the whole numbers. 381 bits take at most 879
// steps, thirty rounds.
#pragma once

#include "fp.cuh"

namespace pinion::cuda {
namespace inverse_detail {

using i32 = std::int32_t;
using i64 = std::int64_t;

inline constexpr int limbs = 13, limb_bits = 30;
inline constexpr i32 limb_mask = (1 << limb_bits) - 1;
inline constexpr i32 p_inverse = 0x30003;  // p^-1 mod 2^30

// sum limb[i] 2^(30 i): limbs in [0, 2^30) but for the top one, which has the sign.
struct Signed {
  i32 limb[limbs];
};

PINION_DEVICE Signed modulus() {
  return {{0x3fffaaab, 0x27fbffff, 0x153ffffb, 0x2affffac, 0x30f6241e, 0x034a83da, 0x112bf673, 0x12e13ce1, 0x2cd76477,
           0x1ed90d2e, 0x29a4b1ba, 0x3a8e5ff9, 0x001a0111}};
}
// 2^768 mod p: the inverse of a R is a^-1 R^-1, and a^-1 R is wanted.
PINION_DEVICE Signed square_of_r() {
  return {{0x1c341746, 0x137c7cd0, 0x1d104f1f, 0x1db9a982, 0x15b6d50a, 0x151db132, 0x183c08de, 0x222a64e7, 0x152d67eb,
           0x3a16d466, 0x3aa9a793, 0x3964b2b8, 0x0011988f}};
}

PINION_DEVICE Signed to_signed(const Fp& a) {
  Signed out;
  PINION_UNROLL
  for (int i = 0; i < limbs; ++i) {
    const int word = i * limb_bits / 32, shift = i * limb_bits % 32;
    const u64 pair = u64{word + 1 < 12 ? a.limb[word + 1] : 0} << 32 | a.limb[word];
    out.limb[i] = static_cast<i32>(pair >> shift) & limb_mask;
  }
  return out;
}
// For 0 <= a < 2^384.
PINION_DEVICE Fp to_fp(const Signed& a) {
  Fp out;
  PINION_UNROLL
  for (int j = 0; j < 12; ++j) {
    const int first = j * 32 / limb_bits, shift = j * 32 % limb_bits;
    const u64 pair = static_cast<u64>(a.limb[first + 1]) << limb_bits | static_cast<u64>(a.limb[first]);
    out.limb[j] = static_cast<u32>(pair >> shift);
  }
  return out;
}

PINION_DEVICE bool is_zero(const Signed& a) {
  i32 any = 0;
  PINION_UNROLL
  for (int i = 0; i < limbs; ++i) any |= a.limb[i];
  return any == 0;
}

// What thirty steps do: f becomes (u f + v g) / 2^30, g becomes (q f + r g) / 2^30. |u| + |v|, |q| + |r| <= 2^30.
struct Matrix {
  i32 u, v, q, r;
};

// zeta = -(delta + 1/2). A step: if delta > 0 and g is odd, f, g = g, (g - f) / 2 and delta = 1 - delta; else
// g = (g + (g mod 2) f) / 2 and delta = 1 + delta.
PINION_DEVICE Matrix steps(i32& zeta, u32 f, u32 g) {
  u32 u = 1, v = 0, q = 0, r = 1;
  PINION_UNROLL_BY(6)
  for (int i = 0; i < limb_bits; ++i) {
    const bool odd = (g & 1) != 0, swap = odd && zeta < 0;
    const u32 factor = swap ? ~0U : g & 1;
    const u32 next_g = factor * f + g, next_q = factor * u + q, next_r = factor * v + r;
    f = swap ? g : f;
    u = swap ? q : u;
    v = swap ? r : v;
    zeta = (swap ? ~zeta : zeta) - 1;
    g = next_g >> 1;
    q = next_q;
    r = next_r;
    u <<= 1;
    v <<= 1;
  }
  return {static_cast<i32>(u), static_cast<i32>(v), static_cast<i32>(q), static_cast<i32>(r)};
}

PINION_DEVICE void apply(Signed& f, Signed& g, const Matrix& m) {
  i64 sum_f = i64{m.u} * f.limb[0] + i64{m.v} * g.limb[0];
  i64 sum_g = i64{m.q} * f.limb[0] + i64{m.r} * g.limb[0];
  PINION_UNROLL
  for (int i = 1; i < limbs; ++i) {
    sum_f = (sum_f >> limb_bits) + i64{m.u} * f.limb[i] + i64{m.v} * g.limb[i];
    sum_g = (sum_g >> limb_bits) + i64{m.q} * f.limb[i] + i64{m.r} * g.limb[i];
    f.limb[i - 1] = static_cast<i32>(sum_f) & limb_mask;
    g.limb[i - 1] = static_cast<i32>(sum_g) & limb_mask;
  }
  f.limb[limbs - 1] = static_cast<i32>(sum_f >> limb_bits);
  g.limb[limbs - 1] = static_cast<i32>(sum_g >> limb_bits);
}

// The same modulo p: multiples of p make the sums divisible by 2^30 and keep both in (-2 p, p).
PINION_DEVICE void apply_modulo(Signed& d, Signed& e, const Matrix& m) {
  const Signed p = modulus();
  const i32 sign_d = d.limb[limbs - 1] >> 31, sign_e = e.limb[limbs - 1] >> 31;
  i32 times_d = (m.u & sign_d) + (m.v & sign_e), times_e = (m.q & sign_d) + (m.r & sign_e);
  i64 sum_d = i64{m.u} * d.limb[0] + i64{m.v} * e.limb[0];
  i64 sum_e = i64{m.q} * d.limb[0] + i64{m.r} * e.limb[0];
  const auto low = [](i64 sum, i32 times) {
    return static_cast<i32>(static_cast<u32>(p_inverse) * static_cast<u32>(sum) + static_cast<u32>(times)) & limb_mask;
  };
  times_d -= low(sum_d, times_d);
  times_e -= low(sum_e, times_e);
  sum_d += i64{p.limb[0]} * times_d;
  sum_e += i64{p.limb[0]} * times_e;
  PINION_UNROLL
  for (int i = 1; i < limbs; ++i) {
    sum_d = (sum_d >> limb_bits) + i64{m.u} * d.limb[i] + i64{m.v} * e.limb[i] + i64{p.limb[i]} * times_d;
    sum_e = (sum_e >> limb_bits) + i64{m.q} * d.limb[i] + i64{m.r} * e.limb[i] + i64{p.limb[i]} * times_e;
    d.limb[i - 1] = static_cast<i32>(sum_d) & limb_mask;
    e.limb[i - 1] = static_cast<i32>(sum_e) & limb_mask;
  }
  d.limb[limbs - 1] = static_cast<i32>(sum_d >> limb_bits);
  e.limb[limbs - 1] = static_cast<i32>(sum_e >> limb_bits);
}

PINION_DEVICE void carry(Signed& a) {
  PINION_UNROLL
  for (int i = 0; i + 1 < limbs; ++i) {
    a.limb[i + 1] += a.limb[i] >> limb_bits;
    a.limb[i] &= limb_mask;
  }
}
PINION_DEVICE void add_modulus_if_negative(Signed& a) {
  const Signed p = modulus();
  const i32 negative = a.limb[limbs - 1] >> 31;
  PINION_UNROLL
  for (int i = 0; i < limbs; ++i) a.limb[i] += p.limb[i] & negative;
}
// d or -d, from (-2 p, p) to [0, p)
PINION_DEVICE void normalize(Signed& d, i32 sign) {
  add_modulus_if_negative(d);
  PINION_UNROLL
  for (int i = 0; i < limbs; ++i) d.limb[i] = (d.limb[i] ^ sign) - sign;
  carry(d);
  add_modulus_if_negative(d);
  carry(d);
}

}  // namespace inverse_detail

// a^-1; 0 for 0
PINION_DEVICE Fp inverted(const Fp& a) {
  using namespace inverse_detail;
  Signed d{}, e = square_of_r(), f = modulus(), g = to_signed(a);
  i32 zeta = -1;
  while (!is_zero(g)) {
    const Matrix m = steps(zeta, static_cast<u32>(f.limb[0]) | static_cast<u32>(f.limb[1]) << limb_bits,
                           static_cast<u32>(g.limb[0]) | static_cast<u32>(g.limb[1]) << limb_bits);
    apply_modulo(d, e, m);
    apply(f, g, m);
  }
  normalize(d, f.limb[limbs - 1] >> 31);
  return to_fp(d);
}

}  // namespace pinion::cuda
