// Fr on the device: eight 32-bit limbs in Montgomery form, R = 2^256, always reduced: the same bytes as bls::Fr.
//
// The modulus is r = 2^64 K + (2^64 - 2^32 + 1) with K = r >> 64, so r = 1 - 2^32 mod 2^64 and the quotient of a 64-bit
// Montgomery step, m = -t / r mod 2^64 = -(t + 2^32 t), costs no multiplication; of m * r only m * K is a product. A
// multiplication is 64 + 4 * 12 wide multiply-adds where the generic form needs 64 + 64 and 8 more for quotients.
#pragma once

#include "limbs.cuh"

namespace pinion::cuda {

struct alignas(16) Fr {
  u32 limb[8];
};

namespace fr_detail {

// A number under reduction: even + 2^32 odd + low, where low is what the last step left below odd[0].
struct Columns {
  u32 even[10], odd[8], low;
};

// t += a * (b0 + 2^32 b1), where even[8], even[9], odd[6] and odd[7] are zero before. A carry out of one array goes
// into the other's top limb, which by the bound on t has room.
PINION_DEVICE void add_two_rows(Columns& t, const u32* a, u32 b0, u32 b1) {
  mad_row<8>(t.odd, a + 1, b0);
  mad_row<8>(t.even, a, b0);
  t.odd[7] = addc(t.odd[7], 0);
  mad_row<8>(t.even + 2, a + 1, b1);
  mad_row<8>(t.odd, a, b1);
  t.even[9] = addc_cc(t.even[9], 0);  // leaves no carry
}

// One Montgomery step of 64 bits: becomes (t + m r) / 2^64, m such that the division is exact. Comes with no carry in
// the flag; the addition that makes m0 = -t0 takes it in because ptxas folds a plain negation into the products with m0
// and then cannot join their halves.
PINION_DEVICE void reduce_two_limbs(Columns& t) {
  constexpr u32 k[6] = {0xfffe5bfe, 0x53bda402, 0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753};
  u32* const even = t.even;
  u32* const odd = t.odd;
  const u32 t0 = even[0] + t.low;
  const u32 m0 = addc_cc(~t0, 1);
  add_cc(even[0], t.low);
  const u32 t1 = addc_cc(even[1], odd[0]);
  madc_row<6>(even + 2, k, m0);
  even[8] = addc_cc(even[8], 0);
  even[9] = addc(even[9], 0);
  sub_cc(0, t0);
  const u32 m1 = subc(0, t1 + t0);
  // Of m r, what is not m * K: h = (t + m (2^64 - 2^32 + 1)) / 2^64 = m - m1 + carry(t + m), below 2^64.
  add_cc(t0, m0);
  addc_cc(t1, m1);
  u32 h0 = addc_cc(m0, 0);
  u32 h1 = addc(m1, 0);
  h0 = sub_cc(h0, m1);
  h1 = subc(h1, 0);
  even[2] = add_cc(even[2], h0);
  even[3] = addc_cc(even[3], h1);
  madc_row<6>(even + 4, k + 1, m1);
  mad_row<6>(odd + 2, k + 1, m0);
  even[9] = addc(even[9], 0);
  mad_row<6>(odd + 2, k, m1);
  even[9] = addc(even[9], 0);
  t.low = odd[1];
  PINION_UNROLL
  for (int j = 0; j < 8; ++j) even[j] = even[j + 2];
  PINION_UNROLL
  for (int j = 0; j < 6; ++j) odd[j] = odd[j + 2];
  even[8] = even[9] = odd[6] = odd[7] = 0;
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

// a * b / 2^256, below 2 r when a < 2 r and b < r: for who reduces later. Rows are multiples of b, so that the number
// under reduction stays below b + r.
PINION_DEVICE Fr multiply_unreduced(const Fr& a, const Fr& b) {
  fr_detail::Columns t;
  mul_row<8>(t.even, b.limb, a.limb[0]);
  mul_row<8>(t.odd, b.limb + 1, a.limb[0]);
  t.even[8] = t.even[9] = t.low = 0;
  mad_row<8>(t.even + 2, b.limb + 1, a.limb[1]);
  mad_row<8>(t.odd, b.limb, a.limb[1]);
  t.even[9] = addc_cc(t.even[9], 0);
  fr_detail::reduce_two_limbs(t);
  PINION_UNROLL
  for (int i = 2; i < 8; i += 2) {
    fr_detail::add_two_rows(t, b.limb, a.limb[i], a.limb[i + 1]);
    fr_detail::reduce_two_limbs(t);
  }
  Fr out;
  out.limb[0] = add_cc(t.even[0], t.low);
  PINION_UNROLL
  for (int j = 1; j < 7; ++j) out.limb[j] = addc_cc(t.even[j], t.odd[j - 1]);
  out.limb[7] = addc(t.even[7], 0);
  return out;
}

PINION_DEVICE Fr operator*(const Fr& a, const Fr& b) {
  Fr out = multiply_unreduced(a, b);
  u32 r[8];
  fr_modulus(r);
  reduce_once<8>(out.limb, r);
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
// Arithmetic modulo 2 r, for chains of additions and multiply_unreduced: arguments and results are below 2 r.
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
  sub_mod<8>(out.limb, a.limb, b.limb, r2);
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
