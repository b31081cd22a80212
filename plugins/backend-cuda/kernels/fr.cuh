// Fr on the device: eight 32-bit limbs in Montgomery form, R = 2^256, always reduced: the same bytes as bls::Fr.
//
// The modulus is r = 1 - B + B^2 (2^192 - k) with B = 2^32 and k = 2^192 - 1 - (r >> 64). A Montgomery step of two
// limbs subtracts m r, where m0 = t0 and m1 = t0 + t1 mod B need no multiplication. Of m r only m k is a product, and
// it is added; m 2^192 lands above what later steps read, so that all four are subtracted at once in the end. 64 + 4 *
// 12 wide multiply-adds where the generic form needs 64 + 64 and 8 more for quotients.
#pragma once

#include "limbs.cuh"

namespace pinion::cuda {

struct alignas(16) Fr {
  u32 limb[8];
};

namespace fr_detail {

// k of the modulus.
PINION_DEVICE void modulus_complement(u32* out) {
  constexpr u32 k[6] = {0x0001a401, 0xac425bfd, 0xf65e27fa, 0xccc627f7, 0xd66282b7, 0x8c1258ac};
  PINION_UNROLL
  for (int j = 0; j < 6; ++j) out[j] = k[j];
}

// A number below 2^512 under construction, even + odd: pairs at even and at odd columns. Words not written yet are 0.
struct Columns {
  u32 even[16], odd[16];
};

// t += B^C (a (b0 + B b1) - m r): two rows of the product at the even column C, then a Montgomery step on columns C and
// C + 1, which are not read again. Returns m = m0 + B m1.
// Carries out of rows are caught in words that only the next rows fill. What stands from column C + 2 on is below 2^256
// if it was before, for a < r: at most (B^2 - 1) (r + 2^256 - r) is added above column C, less what the dropped columns
// had.
template <int C>
PINION_DEVICE void two_rows(Columns& t, const u32* a, u32 b0, u32 b1, u32& m0, u32& m1) {
  u32 k[6];
  modulus_complement(k);
  u32 *const even = t.even + C, *const odd = t.odd + C;
  mad_row<8>(even, a, b0);
  even[8] = addc(0, 0);
  mad_row<8>(odd + 1, a + 1, b0);
  mad_row<6>(even + 2, a + 1, b1);
  even[8] = addc(even[8], 0);
  mad_row<8>(odd + 1, a, b1);
  odd[9] = addc(0, 0);
  m0 = C == 0 ? even[0] : add_cc(even[0], odd[0]);
  const u32 t1 = C == 0 ? add_cc(even[1], odd[1]) : addc_cc(even[1], odd[1]);
  madc_row<6>(even + 2, k, m0);
  even[8] = madc_lo_cc(a[7], b1, even[8]);
  even[9] = madc_hi_cc(a[7], b1, 0);
  m1 = add_cc(m0, t1);
  even[2] = addc_cc(even[2], m1);
  even[3] = addc_cc(even[3], 0);
  madc_row<6>(even + 4, k + 1, m1);
  mad_row<6>(odd + 3, k + 1, m0);
  odd[9] = addc(odd[9], 0);
  mad_row<6>(odd + 3, k, m1);
  odd[9] = addc(odd[9], 0);
}

}  // namespace fr_detail

PINION_DEVICE void fr_modulus(u32* out) {
  constexpr u32 r[8] = {0x00000001, 0xffffffff, 0xfffe5bfe, 0x53bda402, 0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753};
  PINION_UNROLL
  for (int j = 0; j < 8; ++j) out[j] = r[j];
}

PINION_DEVICE Fr fr_zero() {
  return Fr{};
}
// 2^256 mod r
PINION_DEVICE Fr fr_one() {
  return Fr{{0xfffffffe, 0x00000001, 0x00034802, 0x5884b7fa, 0xecbc4ff5, 0x998c4fef, 0xacc5056f, 0x1824b159}};
}

// a * b / 2^256 mod r, below r, for a < 2^256 and b < r.
PINION_DEVICE Fr operator*(const Fr& a, const Fr& b) {
  fr_detail::Columns t{};
  u32 m[8];
  fr_detail::two_rows<0>(t, b.limb, a.limb[0], a.limb[1], m[0], m[1]);
  fr_detail::two_rows<2>(t, b.limb, a.limb[2], a.limb[3], m[2], m[3]);
  fr_detail::two_rows<4>(t, b.limb, a.limb[4], a.limb[5], m[4], m[5]);
  fr_detail::two_rows<6>(t, b.limb, a.limb[6], a.limb[7], m[6], m[7]);
  Fr out;
  out.limb[0] = add_cc(t.even[8], t.odd[8]);
  PINION_UNROLL
  for (int j = 1; j < 8; ++j) out.limb[j] = addc_cc(t.even[8 + j], t.odd[8 + j]);
  const u32 negative = sub_limbs<8>(out.limb, out.limb, m);
  u32 r[8];
  fr_modulus(r);
  add_eight_if(out.limb, r, negative);
  return out;
}

PINION_DEVICE Fr operator+(const Fr& a, const Fr& b) {
  Fr out;
  u32 r[8];
  fr_modulus(r);
  add_mod<8>(out.limb, a.limb, b.limb, r);
  return out;
}
PINION_DEVICE Fr operator-(const Fr& a, const Fr& b) {
  Fr out;
  u32 r[8];
  fr_modulus(r);
  sub_mod<8>(out.limb, a.limb, b.limb, r);
  return out;
}
// Arithmetic modulo 2 r, for chains of sums and products with known factors: arguments and results are below 2 r.
namespace lazy {

PINION_DEVICE void twice_modulus(u32* out) {
  constexpr u32 r2[8] = {0x00000002, 0xfffffffe, 0xfffcb7fd, 0xa77b4805,
                         0x1343b00a, 0x6673b010, 0x533afa90, 0xe7db4ea6};
  PINION_UNROLL
  for (int j = 0; j < 8; ++j) out[j] = r2[j];
}
PINION_DEVICE Fr add(const Fr& a, const Fr& b) {
  Fr sum, reduced;
  u32 r2[8];
  twice_modulus(r2);
  const u32 carry = add_limbs<8>(sum.limb, a.limb, b.limb);
  const u32 borrow = sub_limbs<8>(reduced.limb, sum.limb, r2);
  const bool keep = carry + borrow == 0xffffffff;  // no carry, and a borrow
  PINION_UNROLL
  for (int j = 0; j < 8; ++j) sum.limb[j] = keep ? sum.limb[j] : reduced.limb[j];
  return sum;
}
PINION_DEVICE Fr sub(const Fr& a, const Fr& b) {
  Fr out;
  u32 r2[8];
  twice_modulus(r2);
  const u32 negative = sub_limbs<8>(out.limb, a.limb, b.limb);
  add_eight_if(out.limb, r2, negative);
  return out;
}
PINION_DEVICE Fr reduced(const Fr& a) {
  Fr out = a;
  u32 r[8];
  fr_modulus(r);
  reduce_once<8>(out.limb, r);
  return out;
}

}  // namespace lazy

PINION_DEVICE bool is_zero(const Fr& a) {
  return or_limbs<8>(a.limb) == 0;
}
PINION_DEVICE bool operator==(const Fr& a, const Fr& b) {
  u32 different = 0;
  PINION_UNROLL
  for (int j = 0; j < 8; ++j) different |= a.limb[j] ^ b.limb[j];
  return different == 0;
}

// The canonical integer a stands for (below r).
PINION_DEVICE Fr from_montgomery(const Fr& a) {
  return a * Fr{{1, 0, 0, 0, 0, 0, 0, 0}};
}

PINION_DEVICE Fr fr_pow(Fr base, u64 exponent) {
  Fr out = fr_one();
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) out = out * base;
    base = base * base;
  }
  return out;
}

}  // namespace pinion::cuda
