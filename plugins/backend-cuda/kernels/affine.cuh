// Sums of two affine points of G1, for who divides for many of them at once: 5 products and a square each, three of
// them for the division, where XYZZ takes 7.5 and 2. The caller inverts the product of many divisors and hands each sum
// the inverse of its own. Points given are below p, sums below 2 p; infinity is (0, 0), which is not on the curve.
#pragma once

#include "curve.cuh"
#include "fp_loose.cuh"

namespace pinion::cuda {

struct AffinePoint {
  Fp x, y;
};

PINION_DEVICE bool is_infinity(const AffinePoint& a) {
  return is_zero(a.x) && is_zero(a.y);
}

// Whether a and b may be something else than two points with different x, none of them infinity; d = b.x - a.x + 2 p.
// The lowest limbs decide: whoever is called rare without being so is only slow.
PINION_DEVICE bool is_rare(const Fp& ax, const Fp& bx, const Fp& d) {
  using fp_detail::low_limb_of;
  return d.limb[0] == low_limb_of<1> || d.limb[0] == low_limb_of<2> || ax.limb[0] == 0 || bx.limb[0] == 0;
}
// What the slope's numerator is divided by in a + b: never zero. One where there is nothing to divide.
PINION_CALL Fp rare_divisor(const AffinePoint& loose_a, const AffinePoint& b) {
  const AffinePoint a{reduced(loose_a.x), reduced(loose_a.y)};
  if (is_infinity(a) || is_infinity(b)) return fp_one();
  const Fp d = b.x - a.x;
  if (!is_zero(d)) return d;
  const Fp twice_y = a.y + b.y;
  return is_zero(twice_y) ? fp_one() : twice_y;
}
// a + b, from the inverse of rare_divisor.
PINION_CALL AffinePoint rare_sum(const AffinePoint& loose_a, const AffinePoint& b, const Fp& loose_inverse) {
  const AffinePoint a{reduced(loose_a.x), reduced(loose_a.y)};
  const Fp inverse = reduced(loose_inverse);
  if (is_infinity(a)) return b;
  if (is_infinity(b)) return a;
  const bool same_x = is_zero(b.x - a.x);
  if (same_x && is_zero(a.y + b.y)) return AffinePoint{};
  Fp numerator = b.y - a.y;
  if (same_x) {
    numerator = square(a.x);
    numerator = numerator + numerator + numerator;
  }
  const Fp slope = numerator * inverse;
  const Fp x = square(slope) - a.x - b.x;
  return {x, slope * (a.x - x) - a.y};
}

// a + b, or a - b, from the inverse of its divisor, which is given back: whoever inverted the product of several wants
// it.
PINION_DEVICE AffinePoint affine_sum(const AffinePoint& a, const AffinePoint& b, bool minus, const Fp& inverse,
                                     Fp& divisor) {
  divisor = loose_difference<2>(b.x, a.x);
  if (is_rare(a.x, b.x, divisor)) {
    const AffinePoint signed_b{b.x, negate_if(b.y, minus)};
    divisor = rare_divisor(a, signed_b);
    return rare_sum(a, signed_b, inverse);
  }
  AffinePoint sum;
  const Fp slope = loose_product(loose_difference<3>(b.y, minus, a.y), inverse);
  sum.x = signed_difference(loose_square(slope), loose_sum(a.x, b.x));  // > -3 p
  add_modulus_if_negative<2>(sum.x);
  add_modulus_if_negative<1>(sum.x);
  sum.y = signed_difference(loose_product(loose_difference<2>(a.x, sum.x), slope), a.y);
  add_modulus_if_negative<2>(sum.y);
  return sum;
}

}  // namespace pinion::cuda
