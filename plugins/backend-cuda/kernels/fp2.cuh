// Fp2 = Fp[u]/(u^2 + 1) over a pair of adjacent lanes: the even lane holds c0, the odd one c1, and they exchange words
// by shuffle. A product is one sum of two products in each lane: what Karatsuba's three products cost in one lane,
// without his additions, and with half the registers. Both lanes of a pair always take the same branches.
#pragma once

#include "fp.cuh"

namespace pinion::cuda {

struct Fp2 {
  Fp own;  // this lane's coordinate
};

PINION_DEVICE bool is_odd_lane() {
  return (threadIdx.x & 1) != 0;
}

// The partner's coordinate.
PINION_DEVICE Fp partner(const Fp& a) {
  const unsigned pair = 3U << (threadIdx.x & 30U);
  Fp out;
  PINION_UNROLL
  for (int j = 0; j < 12; ++j) out.limb[j] = __shfl_xor_sync(pair, a.limb[j], 1);
  return out;
}

PINION_DEVICE Fp choose(bool first, const Fp& a, const Fp& b) {
  Fp out;
  PINION_UNROLL
  for (int j = 0; j < 12; ++j) out.limb[j] = first ? a.limb[j] : b.limb[j];
  return out;
}

// c0 = a0 b0 - a1 b1, c1 = a1 b0 + a0 b1: in both lanes left(a) * own(b) + right(a) * partner(b).
struct Fp2Factors {
  Fp left, right;
};
PINION_DEVICE Fp2Factors factors(const Fp2& a) {
  const Fp other = partner(a.own);
  return {choose(is_odd_lane(), other, a.own), choose(is_odd_lane(), a.own, fp_zero() - other)};
}

PINION_DEVICE Fp2 operator*(const Fp2& a, const Fp2& b) {
  const Fp2Factors f = factors(a);
  return {sum_of_products(f.left, b.own, f.right, partner(b.own))};
}
// c0 = (a0 + a1)(a0 - a1), c1 = (a0 + a0) a1
PINION_DEVICE Fp2 square(const Fp2& a) {
  const Fp other = partner(a.own);
  const Fp sum = choose(is_odd_lane(), other, a.own) + other;
  return {sum * choose(is_odd_lane(), a.own, a.own - other)};
}
PINION_DEVICE Fp2 operator+(const Fp2& a, const Fp2& b) {
  return {a.own + b.own};
}
PINION_DEVICE Fp2 operator-(const Fp2& a, const Fp2& b) {
  return {a.own - b.own};
}
PINION_DEVICE bool is_zero(const Fp2& a) {
  const u32 mine = or_limbs<12>(a.own.limb);
  return (mine | __shfl_xor_sync(3U << (threadIdx.x & 30U), mine, 1)) == 0;
}
PINION_DEVICE Fp2 negate_if(const Fp2& a, bool yes) {
  return {negate_if(a.own, yes)};
}
// a * b - c * d
PINION_DEVICE Fp difference_of_products(const Fp& a, const Fp& b, const Fp& c, const Fp& d) {
  return sum_of_products(a, b, fp_zero() - c, d);
}
PINION_DEVICE Fp2 difference_of_products(const Fp2& a, const Fp2& b, const Fp2& c, const Fp2& d) {
  return a * b - c * d;
}

}  // namespace pinion::cuda
