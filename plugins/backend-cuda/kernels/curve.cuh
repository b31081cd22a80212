// Points of G1 (one lane each) and G2 (a pair of lanes each). Affine points lie in memory as bls::Affine (infinity: all
// zero), sums as XYZZ: x = X / ZZ, y = Y / ZZZ, ZZ^3 = ZZZ^2, infinity has ZZ = 0.
// Source: Sutherland's XYZZ coordinates in the Explicit-Formulas Database (madd-2008-s, add-2008-s, mdbl-2008-s-1,
// dbl-2008-s-1); R (Q - X3) - Y1 PPP is reduced once, as in the winners of ZPrize 2022 and 2023.
#pragma once

#include "fp2.cuh"

namespace pinion::cuda {

struct G1 {
  using Field = Fp;
  static constexpr unsigned lanes = 1;
  static PINION_DEVICE unsigned lane() { return 0; }
  static PINION_DEVICE Fp one() { return fp_one(); }
  static PINION_DEVICE Fp& half(Fp& a) { return a; }
  static PINION_DEVICE const Fp& half(const Fp& a) { return a; }
};
struct G2 {
  using Field = Fp2;
  static constexpr unsigned lanes = 2;
  static PINION_DEVICE unsigned lane() { return threadIdx.x & 1; }
  static PINION_DEVICE Fp2 one() { return {is_odd_lane() ? fp_zero() : fp_one()}; }
  static PINION_DEVICE Fp& half(Fp2& a) { return a.own; }
  static PINION_DEVICE const Fp& half(const Fp2& a) { return a.own; }
};

// Words of 16 bytes of a point in memory, and of the part of it that one lane holds.
inline constexpr unsigned fp_words = 3;
template <class Group>
inline constexpr unsigned affine_words = 2 * fp_words* Group::lanes;
template <class Group>
inline constexpr unsigned xyzz_words = 4 * fp_words* Group::lanes;

template <class Group>
struct Xyzz {
  typename Group::Field x, y, zz, zzz;
};

PINION_DEVICE Fp load_fp(const uint4* at) {
  const uint4 a = at[0], b = at[1], c = at[2];
  return Fp{{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w}};
}
PINION_DEVICE void store_fp(uint4* at, const Fp& a) {
  at[0] = uint4{a.limb[0], a.limb[1], a.limb[2], a.limb[3]};
  at[1] = uint4{a.limb[4], a.limb[5], a.limb[6], a.limb[7]};
  at[2] = uint4{a.limb[8], a.limb[9], a.limb[10], a.limb[11]};
}

// The same with words `step` apart: columns, in which neighbours' words are side by side.
PINION_DEVICE Fp load_column(const uint4* at, std::size_t step) {
  const uint4 a = at[0], b = at[step], c = at[2 * step];
  return Fp{{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w}};
}
PINION_DEVICE void store_column(uint4* at, std::size_t step, const Fp& a) {
  at[0] = uint4{a.limb[0], a.limb[1], a.limb[2], a.limb[3]};
  at[step] = uint4{a.limb[4], a.limb[5], a.limb[6], a.limb[7]};
  at[2 * step] = uint4{a.limb[8], a.limb[9], a.limb[10], a.limb[11]};
}

template <class Group>
PINION_DEVICE Xyzz<Group> infinity() {
  return Xyzz<Group>{};
}
template <class Group>
PINION_DEVICE bool is_infinity(const Xyzz<Group>& a) {
  return is_zero(a.zz);
}

// `at` is the point's first word; each lane of a pair moves its own coordinates.
template <class Group>
PINION_DEVICE Xyzz<Group> load_xyzz(const uint4* at) {
  Xyzz<Group> out;
  const uint4* const mine = at + fp_words * Group::lane();
  constexpr unsigned step = fp_words * Group::lanes;
  Group::half(out.x) = load_fp(mine);
  Group::half(out.y) = load_fp(mine + step);
  Group::half(out.zz) = load_fp(mine + 2 * step);
  Group::half(out.zzz) = load_fp(mine + 3 * step);
  return out;
}
template <class Group>
PINION_DEVICE void store_xyzz(uint4* at, const Xyzz<Group>& a) {
  uint4* const mine = at + fp_words * Group::lane();
  constexpr unsigned step = fp_words * Group::lanes;
  store_fp(mine, Group::half(a.x));
  store_fp(mine + step, Group::half(a.y));
  store_fp(mine + 2 * step, Group::half(a.zz));
  store_fp(mine + 3 * step, Group::half(a.zzz));
}

// 2 (x, y)
template <class Group>
PINION_DEVICE Xyzz<Group> double_affine(const typename Group::Field& x, const typename Group::Field& y) {
  Xyzz<Group> out;
  const auto u = y + y;
  out.zz = square(u);
  out.zzz = u * out.zz;
  const auto s = x * out.zz;
  auto m = square(x);
  m = m + m + m;
  out.x = square(m) - s - s;
  out.y = difference_of_products(m, s - out.x, out.zzz, y);
  return out;
}

template <class Group>
PINION_DEVICE Xyzz<Group> doubled(const Xyzz<Group>& a) {
  Xyzz<Group> out = double_affine<Group>(a.x, a.y);
  out.zz = out.zz * a.zz;
  out.zzz = out.zzz * a.zzz;
  return out;
}

// The common end of both additions: (x1, y1) and the differences p, r; zz, zzz still lack the factors pp, ppp.
template <class Group>
PINION_DEVICE void finish_addition(Xyzz<Group>& sum, const typename Group::Field& p, const typename Group::Field& r) {
  const auto pp = square(p);
  const auto ppp = p * pp;
  const auto q = sum.x * pp;
  sum.zz = sum.zz * pp;
  sum.zzz = sum.zzz * ppp;
  sum.x = square(r) - ppp - q - q;
  sum.y = difference_of_products(r, q - sum.x, sum.y, ppp);
}

// sum += (x, y), whatever the two are; (0, 0) is infinity.
template <class Group>
PINION_DEVICE void add_affine(Xyzz<Group>& sum, const typename Group::Field& x, const typename Group::Field& y) {
  if (is_zero(x) && is_zero(y)) return;
  if (is_infinity(sum)) {
    sum = Xyzz<Group>{x, y, Group::one(), Group::one()};
    return;
  }
  const auto p = x * sum.zz - sum.x;
  const auto r = y * sum.zzz - sum.y;
  if (is_zero(p)) {
    sum = is_zero(r) ? double_affine<Group>(x, y) : infinity<Group>();
    return;
  }
  finish_addition(sum, p, r);
}

// sum += b
template <class Group>
PINION_DEVICE void add(Xyzz<Group>& sum, const Xyzz<Group>& b) {
  if (is_infinity(b)) return;
  if (is_infinity(sum)) {
    sum = b;
    return;
  }
  const auto u = sum.x * b.zz;
  const auto p = b.x * sum.zz - u;
  const auto s = sum.y * b.zzz;
  const auto r = b.y * sum.zzz - s;
  if (is_zero(p)) {
    sum = is_zero(r) ? doubled(sum) : infinity<Group>();
    return;
  }
  sum = Xyzz<Group>{u, s, sum.zz * b.zz, sum.zzz * b.zzz};
  finish_addition(sum, p, r);
}

}  // namespace pinion::cuda
