// Fp on the device: twelve 32-bit limbs in Montgomery form, R = 2^384, always reduced: the same bytes as bls::Fp.
// Beside products and squares there is the sum of two products with one reduction between them (a third of the cost of
// a product saved), which is what products in Fp2 and the last step of a point addition are made of.
// Source: Montgomery 1985, one limb a row, the columns of limbs.cuh; the modulus has three spare bits, so that
// 2 p^2 / R + p < 2 p and one subtraction reduces even a sum of four products.
#pragma once

#include "limbs.cuh"

namespace pinion::cuda {

struct alignas(16) Fp {
  u32 limb[12];
};

PINION_BOTH constexpr void fp_modulus(u32* out) {
  constexpr u32 p[12] = {0xffffaaab, 0xb9feffff, 0xb153ffff, 0x1eabfffe, 0xf6b0f624, 0x6730d2a0,
                         0xf38512bf, 0x64774b84, 0x434bacd7, 0x4b1ba7b6, 0x397fe69a, 0x1a0111ea};
  PINION_UNROLL
  for (int j = 0; j < 12; ++j) out[j] = p[j];
}

namespace fp_detail {

inline constexpr u32 n0 = 0xfffcfffd;  // -p^-1 mod 2^32

// even += p * m where that clears even[0]: its carry is known without the product's low half.
PINION_DEVICE void add_low_row(u32* even, const u32* p, u32 m) {
  add_cc(even[0], 0xffffffff);
  even[1] = madc_hi_cc(p[0], m, even[1]);
  PINION_UNROLL
  for (int j = 2; j < 12; j += 2) {
    even[j] = madc_lo_cc(p[j], m, even[j]);
    even[j + 1] = madc_hi_cc(p[j], m, even[j + 1]);
  }
}

// even[0] becomes a multiple of 2^32 by adding a multiple of p; the caller then reads the pair one limb lower, with
// the roles of the arrays swapped.
PINION_DEVICE void clear_low_limb(u32* even, u32* odd) {
  u32 p[12];
  fp_modulus(p);
  const u32 m = mul_lo(even[0], n0);
  mad_row<12>(odd, p + 1, m);
  add_low_row(even, p, m);
  odd[11] = addc(odd[11], 0);
}

// even + 2^32 odd = a * b, low limb cleared
PINION_DEVICE void first_row(u32* even, u32* odd, const u32* a, u32 b) {
  mul_row<12>(even, a, b);
  mul_row<12>(odd, a + 1, b);
  clear_low_limb(even, odd);
}

// Moves down one limb (the arrays come swapped: `odd` is the former even, whose lowest limb is zero) and adds a * b.
PINION_DEVICE void next_product(u32* even, u32* odd, const u32* a, u32 b) {
  even[0] = add_cc(even[0], odd[1]);
  madc_row_down<12>(odd, a + 1, b);
  mad_row<12>(even, a, b);
  odd[11] = addc(odd[11], 0);
}

PINION_DEVICE void add_product(u32* even, u32* odd, const u32* a, u32 b) {
  mad_row<12>(odd, a + 1, b);
  mad_row<12>(even, a, b);
  odd[11] = addc(odd[11], 0);
}

// Moves down and clears the next limb in one: a row of the reduction alone.
PINION_DEVICE void next_reduction(u32* even, u32* odd) {
  u32 p[12];
  fp_modulus(p);
  even[0] = add_cc(even[0], odd[1]);
  const u32 m = mul_lo(even[0], n0);
  madc_row_down<12>(odd, p + 1, m);
  add_low_row(even, p, m);
  odd[11] = addc(odd[11], 0);
}

// (odd + 2^32 even) / 2^32 after twelve rows
PINION_DEVICE Fp joined(const u32* even, const u32* odd) {
  Fp out;
  out.limb[0] = add_cc(odd[0], even[1]);
  PINION_UNROLL
  for (int j = 1; j < 11; ++j) out.limb[j] = addc_cc(odd[j], even[j + 1]);
  out.limb[11] = addc(odd[11], 0);
  return out;
}

}  // namespace fp_detail

// a, below 2 p, modulo p
PINION_DEVICE Fp reduced(Fp a) {
  u32 p[12];
  fp_modulus(p);
  reduce_once<12>(a.limb, p);
  return a;
}

namespace fp_detail {

PINION_DEVICE Fp finish(const u32* even, const u32* odd) {
  return reduced(joined(even, odd));
}

}  // namespace fp_detail

// a b / R modulo p, below p + a b / R: 2 p when a b < 9 p^2, a < 8 p.
PINION_DEVICE Fp loose_product(const Fp& a, const Fp& b) {
  using namespace fp_detail;
  u32 x[12], y[12];
  first_row(x, y, a.limb, b.limb[0]);
  PINION_UNROLL
  for (int i = 1; i < 12; i += 2) {
    next_product(y, x, a.limb, b.limb[i]);
    clear_low_limb(y, x);
    if (i == 11) break;
    next_product(x, y, a.limb, b.limb[i + 1]);
    clear_low_limb(x, y);
  }
  return joined(y, x);
}
PINION_DEVICE Fp operator*(const Fp& a, const Fp& b) {
  return reduced(loose_product(a, b));
}

// a * b + c * d
PINION_DEVICE Fp sum_of_products(const Fp& a, const Fp& b, const Fp& c, const Fp& d) {
  using namespace fp_detail;
  u32 x[12], y[12];
  mul_row<12>(x, a.limb, b.limb[0]);
  mul_row<12>(y, a.limb + 1, b.limb[0]);
  add_product(x, y, c.limb, d.limb[0]);
  clear_low_limb(x, y);
  PINION_UNROLL
  for (int i = 1; i < 12; i += 2) {
    next_product(y, x, a.limb, b.limb[i]);
    add_product(y, x, c.limb, d.limb[i]);
    clear_low_limb(y, x);
    if (i == 11) break;
    next_product(x, y, a.limb, b.limb[i + 1]);
    add_product(x, y, c.limb, d.limb[i + 1]);
    clear_low_limb(x, y);
  }
  return finish(y, x);
}

// a * b + c * d + e * f + g * h
PINION_DEVICE Fp sum_of_products(const Fp& a, const Fp& b, const Fp& c, const Fp& d, const Fp& e, const Fp& f,
                                 const Fp& g, const Fp& h) {
  using namespace fp_detail;
  u32 x[12], y[12];
  mul_row<12>(x, a.limb, b.limb[0]);
  mul_row<12>(y, a.limb + 1, b.limb[0]);
  add_product(x, y, c.limb, d.limb[0]);
  add_product(x, y, e.limb, f.limb[0]);
  add_product(x, y, g.limb, h.limb[0]);
  clear_low_limb(x, y);
  PINION_UNROLL
  for (int i = 1; i < 12; ++i) {
    u32* const even = i % 2 != 0 ? y : x;
    u32* const odd = i % 2 != 0 ? x : y;
    next_product(even, odd, a.limb, b.limb[i]);
    add_product(even, odd, c.limb, d.limb[i]);
    add_product(even, odd, e.limb, f.limb[i]);
    add_product(even, odd, g.limb, h.limb[i]);
    clear_low_limb(even, odd);
  }
  return finish(y, x);
}

namespace fp_detail {

// wide = a^2, 24 limbs: products of different limbs once, doubled, then the squares of limbs.
PINION_DEVICE void wide_square(u32* wide, const u32* a) {
  u32 even[24], odd[24];
  PINION_UNROLL
  for (int j = 0; j < 24; ++j) even[j] = odd[j] = 0;
  PINION_UNROLL
  for (int i = 0; i < 11; ++i) {
    // a[i] * a[j]: j = i+1, i+3, … have odd weight i + j, j = i+2, i+4, … even weight.
    u32* column = odd + 2 * i;
    PINION_UNROLL
    for (int j = i + 1; j < 12; j += 2, column += 2) {
      column[0] = j == i + 1 ? mad_lo_cc(a[i], a[j], column[0]) : madc_lo_cc(a[i], a[j], column[0]);
      column[1] = madc_hi_cc(a[i], a[j], column[1]);
    }
    if (column < odd + 22) column[0] = addc(column[0], 0);
    column = even + 2 * i + 2;
    PINION_UNROLL
    for (int j = i + 2; j < 12; j += 2, column += 2) {
      column[0] = j == i + 2 ? mad_lo_cc(a[i], a[j], column[0]) : madc_lo_cc(a[i], a[j], column[0]);
      column[1] = madc_hi_cc(a[i], a[j], column[1]);
    }
    if (i < 10) column[0] = addc(column[0], 0);
  }
  wide[0] = 0;
  wide[1] = odd[0];
  wide[2] = add_cc(even[2], odd[1]);
  PINION_UNROLL
  for (int j = 3; j < 24; ++j) wide[j] = addc_cc(even[j], odd[j - 1]);
  wide[1] = add_cc(wide[1], wide[1]);
  PINION_UNROLL
  for (int j = 2; j < 24; ++j) wide[j] = addc_cc(wide[j], wide[j]);
  wide[0] = mad_lo_cc(a[0], a[0], 0);
  wide[1] = madc_hi_cc(a[0], a[0], wide[1]);
  PINION_UNROLL
  for (int i = 1; i < 12; ++i) {
    wide[2 * i] = madc_lo_cc(a[i], a[i], wide[2 * i]);
    wide[2 * i + 1] = madc_hi_cc(a[i], a[i], wide[2 * i + 1]);
  }
}

}  // namespace fp_detail

// As loose_product(a, a).
PINION_DEVICE Fp loose_square(const Fp& a) {
  using namespace fp_detail;
  u32 wide[24], y[12], p[12];
  fp_modulus(p);
  wide_square(wide, a.limb);
  u32* const x = wide;
  const u32 m = mul_lo(x[0], n0);
  mul_row<12>(y, p + 1, m);
  add_low_row(x, p, m);
  y[11] = addc(y[11], 0);
  PINION_UNROLL
  for (int i = 1; i < 12; i += 2) {
    next_reduction(y, x);
    if (i == 11) break;
    next_reduction(x, y);
  }
  Fp out;
  out.limb[0] = add_cc(x[0], y[1]);
  PINION_UNROLL
  for (int j = 1; j < 11; ++j) out.limb[j] = addc_cc(x[j], y[j + 1]);
  out.limb[11] = addc(x[11], 0);
  add_limbs<12>(out.limb, out.limb, wide + 12);
  return out;
}
PINION_DEVICE Fp square(const Fp& a) {
  return reduced(loose_square(a));
}

PINION_DEVICE Fp operator+(const Fp& a, const Fp& b) {
  Fp out;
  u32 p[12];
  fp_modulus(p);
  add_mod<12>(out.limb, a.limb, b.limb, p);
  return out;
}
PINION_DEVICE Fp operator-(const Fp& a, const Fp& b) {
  Fp out;
  u32 p[12];
  fp_modulus(p);
  sub_mod<12>(out.limb, a.limb, b.limb, p);
  return out;
}
PINION_DEVICE bool is_zero(const Fp& a) {
  return or_limbs<12>(a.limb) == 0;
}
PINION_DEVICE Fp fp_zero() {
  return Fp{};
}
// 2^384 mod p
PINION_DEVICE Fp fp_one() {
  return Fp{{0x0002fffd, 0x76090000, 0xc40c0002, 0xebf4000b, 0x53c758ba, 0x5f489857, 0x70525745, 0x77ce5853, 0xa256ec6d,
             0x5c071a97, 0xfa80e493, 0x15f65ec3}};
}
// -a, also for a = 0
PINION_DEVICE Fp negate_if(const Fp& a, bool yes) {
  const Fp negated = fp_zero() - a;
  Fp out;
  PINION_UNROLL
  for (int j = 0; j < 12; ++j) out.limb[j] = yes ? negated.limb[j] : a.limb[j];
  return out;
}

}  // namespace pinion::cuda
