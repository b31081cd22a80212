// Fp where a few multiples of p more do no harm: numbers of 384 bits that are reduced only as far as the next product
// needs, without the comparison that a number below p takes. Bounds are given in units of p; 2^384 is 9.8 of them.
#pragma once

#include "fp.cuh"

namespace pinion::cuda {

namespace fp_detail {

struct Limbs {
  u32 limb[12];
};
PINION_BOTH constexpr Limbs modulus_times(u32 factor) {
  u32 p[12] = {};
  fp_modulus(p);
  Limbs out{};
  u64 carry = 0;
  for (int j = 0; j < 12; ++j) {
    carry += u64{p[j]} * factor;
    out.limb[j] = static_cast<u32>(carry);
    carry >>= 32;
  }
  return out;
}
template <unsigned Times>
inline constexpr u32 low_limb_of = modulus_times(Times).limb[0];

}  // namespace fp_detail

// a - b + Times p: for b <= Times.
template <unsigned Times>
PINION_DEVICE Fp loose_difference(const Fp& a, const Fp& b) {
  constexpr fp_detail::Limbs p = fp_detail::modulus_times(Times);
  Fp out;
  sub_limbs<12>(out.limb, p.limb, b.limb);
  add_limbs<12>(out.limb, out.limb, a.limb);
  return out;
}
// a - b + Times p, or -a - b + Times p: for a + b <= Times.
template <unsigned Times>
PINION_DEVICE Fp loose_difference(const Fp& a, bool negative, const Fp& b) {
  constexpr fp_detail::Limbs p = fp_detail::modulus_times(Times);
  const u32 flip = negative ? ~0U : 0;
  Fp out;
  sub_limbs<12>(out.limb, p.limb, b.limb);
  add_cc(flip, 1);  // -a = ~a + 1: the carry is the one
  PINION_UNROLL
  for (int j = 0; j < 11; ++j) out.limb[j] = addc_cc(out.limb[j], a.limb[j] ^ flip);
  out.limb[11] = addc(out.limb[11], a.limb[11] ^ flip);
  return out;
}
// a - b, negative as a two's complement.
PINION_DEVICE Fp signed_difference(const Fp& a, const Fp& b) {
  Fp out;
  sub_limbs<12>(out.limb, a.limb, b.limb);
  return out;
}
PINION_DEVICE Fp loose_sum(const Fp& a, const Fp& b) {
  Fp out;
  add_limbs<12>(out.limb, a.limb, b.limb);
  return out;
}
// a + Times p where a is negative: for -4 <= a <= 4.
template <unsigned Times>
PINION_DEVICE void add_modulus_if_negative(Fp& a) {
  constexpr fp_detail::Limbs p = fp_detail::modulus_times(Times);
  add_twelve_if(a.limb, p.limb, a.limb[11] >> 31);
}

}  // namespace pinion::cuda
