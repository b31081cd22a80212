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

// Adds a * (b0 + 2^32 b1) to even + 2^32 odd (even: 10 limbs, odd: 9).
PINION_DEVICE void mad_two_rows(u32* even, u32* odd, const u32* a, u32 b0, u32 b1) {
  mad_row<8>(even, a, b0);
  even[8] = addc(0, 0);
  even[9] = 0;
  mad_row<8>(odd, a + 1, b0);
  odd[8] = addc(0, 0);
  mad_row<8>(odd, a, b1);
  odd[8] = addc(odd[8], 0);
  mad_row<8>(even + 2, a + 1, b1);
}

// One Montgomery step of 64 bits: (even + 2^32 odd + m r) / 2^64, m chosen so that the division is exact.
PINION_DEVICE void reduce_two_limbs(u32* even, u32* odd) {
  constexpr u32 k[6] = {0xfffe5bfe, 0x53bda402, 0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753};
  // The two lowest limbs t0, t1; what remains of odd above them (odd[1], and the carry) has weight 2^64.
  const u32 t0 = even[0];
  const u32 t1 = add_cc(even[1], odd[0]);
  const u32 rest0 = addc_cc(odd[1], 0);
  const u32 rest1 = addc(0, 0);
  const u32 m0 = sub_cc(0, t0);
  const u32 m1 = subc(0, t1 + t0);
  // h = (t + m (2^64 - 2^32 + 1)) / 2^64 = m - m1 + carry(t + m), then + rest: what is added besides m * K.
  add_cc(t0, m0);
  addc_cc(t1, m1);
  u32 h0 = addc_cc(m0, rest0);
  u32 h1 = addc_cc(m1, rest1);
  u32 h2 = addc(0, 0);
  h0 = sub_cc(h0, m1);
  h1 = subc_cc(h1, 0);
  h2 = subc(h2, 0);
  mad_row<6>(even + 2, k, m0);
  even[8] = addc_cc(even[8], 0);
  even[9] = addc(even[9], 0);
  mad_row<6>(odd + 2, k + 1, m0);
  odd[8] = addc(odd[8], 0);
  mad_row<6>(odd + 2, k, m1);
  odd[8] = addc(odd[8], 0);
  mad_row<6>(even + 4, k + 1, m1);
  even[0] = add_cc(even[2], h0);
  even[1] = addc_cc(even[3], h1);
  even[2] = addc_cc(even[4], h2);
  PINION_UNROLL
  for (int j = 3; j < 8; ++j) even[j] = addc_cc(even[j + 2], 0);
  PINION_UNROLL
  for (int j = 0; j < 7; ++j) odd[j] = odd[j + 2];
  odd[7] = 0;
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

PINION_DEVICE Fr operator*(const Fr& a, const Fr& b) {
  u32 even[10], odd[9];
  mul_row<8>(even, a.limb, b.limb[0]);
  mul_row<8>(odd, a.limb + 1, b.limb[0]);
  mad_row<8>(odd, a.limb, b.limb[1]);
  odd[8] = addc(0, 0);
  even[8] = even[9] = 0;
  mad_row<8>(even + 2, a.limb + 1, b.limb[1]);
  fr_detail::reduce_two_limbs(even, odd);
  PINION_UNROLL
  for (int i = 2; i < 8; i += 2) {
    fr_detail::mad_two_rows(even, odd, a.limb, b.limb[i], b.limb[i + 1]);
    fr_detail::reduce_two_limbs(even, odd);
  }
  Fr out;
  u32 r[8];
  fr_modulus(r);
  join<8>(out.limb, even, odd);
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
