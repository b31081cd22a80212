// Products with factors known in advance: of x w mod r the quotient by r is estimated from w' = floor(w 2^256 / r),
// so that of the products only the half that matters is computed: 87 wide and 15 half multiply-adds where a Montgomery
// product has 112, and no conditional subtraction. Source: Shoup's method as in NTL, analysed by Harvey, "Faster
// arithmetic for number-theoretic transforms" (2014); the low half of the quotient times r by the shape of r (fr.cuh).
#pragma once

#include "fr.cuh"

namespace pinion::cuda {

struct FrFactor {
  Fr value;     // w, canonical: Montgomery form times w is Montgomery form
  Fr quotient;  // floor(w 2^256 / r)
};

// The factor for w given in Montgomery form, W = w 2^256 - quotient * r: quotient = -W / r mod 2^256, whose words fall
// out of a reduction word by word, r being 1 mod 2^32. For the making of tables.
PINION_DEVICE FrFactor factor_of(const Fr& w) {
  FrFactor out;
  out.value = from_montgomery(w);
  u32 r[8], t[8];
  fr_modulus(r);
  PINION_UNROLL
  for (int j = 0; j < 8; ++j) t[j] = w.limb[j];
  PINION_UNROLL
  for (int i = 0; i < 8; ++i) {
    const u32 q = out.quotient.limb[i] = 0 - t[i];
    u32 carry = 0;
    PINION_UNROLL
    for (int j = 0; i + j < 8; ++j) {
      const u64 sum = u64{q} * r[j] + t[i + j] + carry;
      t[i + j] = static_cast<u32>(sum);
      carry = static_cast<u32>(sum >> 32);
    }
  }
  return out;
}

namespace fr_detail {

// acc[c], acc[c + 1] += 2^(32 low) x b for the columns c = first, first + 2, … <= last; leaves a carry in the flag.
PINION_DEVICE void add_row(u32* acc, const u32* x, u32 b, int low, int first, int last) {
  PINION_UNROLL
  for (int c = first; c <= last; c += 2)
    if (c == first)
      mad_first(acc + c, x[c - low], b);
    else
      mad_next(acc + c, x[c - low], b);
}

// t = x q without the products below column 6, for q of N words. Of each row, the columns that end with a fresh pair
// come first; the carry out of the others is added to the upper word of that pair: a product leaves room there.
template <int N>
PINION_DEVICE void high_columns(Columns& t, const u32* x, const u32* q) {
  PINION_UNROLL
  for (int j = 0; j < N; ++j) {
    u32 *const fresh = j % 2 != 0 ? t.even : t.odd, *const full = j % 2 != 0 ? t.odd : t.even;
    const int first_fresh = j % 2 == 0 ? 7 : j < 7 ? 6 : 8;
    add_row(fresh, x, q[j], j, first_fresh, j + 7);
    add_row(full, x, q[j], j, j % 2 != 0 ? 7 : 6, j + 6);
    if (j > 0) fresh[j + 8] = addc(fresh[j + 8], 0);
  }
}

// even + 2^32 odd += 2^(32 shift) a * b[j] for each j, modulo 2^256; of column 7 only low words are needed, summed in
// `top`.
template <int Shift, int N>
PINION_DEVICE void add_low_half(u32* even, u32* odd, u32& top, const u32* a, const u32* b) {
  PINION_UNROLL
  for (int j = 0; j < N; ++j) {
    const int low = j + Shift, first_even = low + low % 2, first_odd = low + 1 - low % 2;
    add_row(even, a, b[j], low, first_even, 6);
    add_row(odd, a, b[j], low, first_odd, 5);
    const bool carry = first_odd < 7 && (j > 0 || Shift > 0);
    top = carry ? madc_lo(a[7 - low], b[j], top) : a[7 - low] * b[j] + top;
  }
}

// x w - q r mod 2^256, where w has the words b[0 … N), the lowest at column Shift.
template <int Shift, int N>
PINION_DEVICE Fr remainder(const Fr& x, const u32* b, const u32* q) {
  u32 even[8], odd[8] = {}, k[6], top = 0;
  // -q r = q (2^32 - 1) + 2^64 q k mod 2^256
  even[0] = sub_cc(0, q[0]);
  PINION_UNROLL
  for (int j = 1; j < 8; ++j) even[j] = subc_cc(q[j - 1], q[j]);
  add_low_half<Shift, N>(even, odd, top, x.limb, b);
  modulus_complement(k);
  add_low_half<2, 6>(even, odd, top, q, k);
  Fr out;
  out.limb[0] = even[0];
  out.limb[1] = add_cc(even[1], odd[1]);
  PINION_UNROLL
  for (int j = 2; j < 7; ++j) out.limb[j] = addc_cc(even[j], odd[j]);
  out.limb[7] = addc(even[7], top);
  return out;
}

}  // namespace fr_detail

// x w mod r, below 2 r for x < 2 r. The estimate Q of floor(x w / r) lacks less than 14 / 2^32 for what it leaves
// out, x / 2^256 for the rounding of w' and one for its own: x w - Q r < r (1 + x / 2^256 + 14 / 2^32).
PINION_DEVICE Fr operator*(const Fr& x, const FrFactor& w) {
  fr_detail::Columns t{};
  fr_detail::high_columns<8>(t, x.limb, w.quotient.limb);
  u32 q[8];
  add_cc(t.even[7], t.odd[7]);
  PINION_UNROLL
  for (int j = 0; j < 8; ++j) q[j] = addc_cc(t.even[8 + j], t.odd[8 + j]);
  return fr_detail::remainder<0, 8>(x, w.value.limb, q);
}

// x i mod r, i = z^3 a square root of -1 for the curve's parameter z (r = z^4 - z^2 + 1): five words and a quotient of
// six and a 1 above. Below 2 r for x < 2 r, as above.
PINION_DEVICE Fr times_fourth_root(const Fr& x) {
  constexpr u32 value[5] = {0x00010000, 0x76030000, 0xec030002, 0x760304d0, 0x8d51ccce};  // from word 1 on
  constexpr u32 quotient[6] = {0x5576304f, 0x61c5d9da, 0x3e76ec2a, 0x33cfcc0d, 0x56cd56b5, 0x381204ca};
  u32 w[5], wq[6], q[8];
  PINION_UNROLL
  for (int j = 0; j < 5; ++j) w[j] = value[j];
  PINION_UNROLL
  for (int j = 0; j < 6; ++j) wq[j] = quotient[j];
  fr_detail::Columns t{};
  fr_detail::high_columns<6>(t, x.limb, wq);
  u32 sum[8];  // columns 7 to 14 before x 2^192 is added
  sum[0] = add_cc(t.even[7], t.odd[7]);
  PINION_UNROLL
  for (int j = 1; j < 7; ++j) sum[j] = addc_cc(t.even[7 + j], t.odd[7 + j]);
  add_cc(sum[0], x.limb[1]);
  PINION_UNROLL
  for (int j = 0; j < 6; ++j) q[j] = addc_cc(sum[1 + j], x.limb[2 + j]);
  q[6] = addc(0, 0);
  q[7] = 0;
  return fr_detail::remainder<1, 5>(x, w, q);
}

}  // namespace pinion::cuda
