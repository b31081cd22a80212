// Rows of products over N 32-bit limbs (N even), shared by Fr and Fp. A number under construction is held as two
// arrays, even + 2^32 * odd: a limb product a[j] * b is 64 bits wide, so products with even j line up in `even`, those
// with odd j in `odd`, and each row is two carry chains without additions in between.
// Source: the even/odd column scheme of Emmart, Zheng and Weems, "Faster modular exponentiation using double precision
// floating point arithmetic on the GPU" (2018), as used by CGBN.
#pragma once

#include "ptx.cuh"

namespace pinion::cuda {

// out[j], out[j+1] = a[j] * b for j = 0, 2, … < N
template <int N>
PINION_DEVICE void mul_row(u32* out, const u32* a, u32 b) {
  PINION_UNROLL
  for (int j = 0; j < N; j += 2) {
    const u64 product = u64{a[j]} * b;
    out[j] = static_cast<u32>(product);
    out[j + 1] = static_cast<u32>(product >> 32);
  }
}

// acc[0], acc[1] += a * b, starting a chain: leaves a carry in the flag.
PINION_DEVICE void mad_first(u32* acc, u32 a, u32 b) {
  acc[0] = mad_lo_cc(a, b, acc[0]);
  acc[1] = madc_hi_cc(a, b, acc[1]);
}
// The same with the flag added: the next link of a chain.
PINION_DEVICE void mad_next(u32* acc, u32 a, u32 b) {
  acc[0] = madc_lo_cc(a, b, acc[0]);
  acc[1] = madc_hi_cc(a, b, acc[1]);
}

// acc[j], acc[j+1] += a[j] * b for j = 0, 2, … < N; leaves the carry out of acc[N-1] in the flag.
template <int N>
PINION_DEVICE void mad_row(u32* acc, const u32* a, u32 b) {
  mad_first(acc, a[0], b);
  PINION_UNROLL
  for (int j = 2; j < N; j += 2) mad_next(acc + j, a[j], b);
}

// As mad_row with the flag added to acc[0].
template <int N>
PINION_DEVICE void madc_row(u32* acc, const u32* a, u32 b) {
  PINION_UNROLL
  for (int j = 0; j < N; j += 2) mad_next(acc + j, a[j], b);
}

// acc[j], acc[j+1] = a[j] * b + acc[j+2], acc[j+3] + flag, with zeros above acc[N-1]: multiplies and moves down by two
// limbs at once. No carry leaves the top (the caller's bound).
template <int N>
PINION_DEVICE void madc_row_down(u32* acc, const u32* a, u32 b) {
  PINION_UNROLL
  for (int j = 0; j < N - 2; j += 2) {
    acc[j] = madc_lo_cc(a[j], b, acc[j + 2]);
    acc[j + 1] = madc_hi_cc(a[j], b, acc[j + 3]);
  }
  acc[N - 2] = madc_lo_cc(a[N - 2], b, 0);
  acc[N - 1] = madc_hi_cc(a[N - 2], b, 0);
}

template <int N>
PINION_DEVICE u32 add_limbs(u32* out, const u32* a, const u32* b) {
  out[0] = add_cc(a[0], b[0]);
  PINION_UNROLL
  for (int j = 1; j < N; ++j) out[j] = addc_cc(a[j], b[j]);
  return addc(0, 0);
}

// Returns 0, or all ones when b > a.
template <int N>
PINION_DEVICE u32 sub_limbs(u32* out, const u32* a, const u32* b) {
  out[0] = sub_cc(a[0], b[0]);
  PINION_UNROLL
  for (int j = 1; j < N; ++j) out[j] = subc_cc(a[j], b[j]);
  return subc(0, 0);
}

// a -= modulus if a >= modulus
template <int N>
PINION_DEVICE void reduce_once(u32* a, const u32* modulus) {
  u32 reduced[N];
  const u32 below = sub_limbs<N>(reduced, a, modulus);
  PINION_UNROLL
  for (int j = 0; j < N; ++j) a[j] = below != 0 ? a[j] : reduced[j];
}

// a = (a + b) mod modulus for reduced a, b with a + b < 2^(32 N)
template <int N>
PINION_DEVICE void add_mod(u32* out, const u32* a, const u32* b, const u32* modulus) {
  add_limbs<N>(out, a, b);
  reduce_once<N>(out, modulus);
}

template <int N>
PINION_DEVICE void sub_mod(u32* out, const u32* a, const u32* b, const u32* modulus) {
  const u32 wrap = sub_limbs<N>(out, a, b);
  u32 back[N];
  PINION_UNROLL
  for (int j = 0; j < N; ++j) back[j] = modulus[j] & wrap;
  add_limbs<N>(out, out, back);
}

template <int N>
PINION_DEVICE u32 or_limbs(const u32* a) {
  u32 any = a[0];
  PINION_UNROLL
  for (int j = 1; j < N; ++j) any |= a[j];
  return any;
}

}  // namespace pinion::cuda
