// How this folder reaches blst: our value types seen as blst's (same bytes), and blst's functions by field, so that
// G1 and G2 share one implementation. Included by this folder's .cpp files only.
#pragma once

#include <blst.h>

#include "curve.hpp"

namespace pinion::bls::detail {

static_assert(sizeof(blst_fp) == sizeof(Fp) && sizeof(blst_fp2) == sizeof(Fp2));
static_assert(sizeof(blst_p1_affine) == sizeof(G1Affine) && sizeof(blst_p2_affine) == sizeof(G2Affine));
static_assert(sizeof(blst_p1) == sizeof(G1) && sizeof(blst_p2) == sizeof(G2));

template <class Field>
struct Blst;

template <>
struct Blst<Fp> {
  using field = blst_fp;
  using affine = blst_p1_affine;
  using point = blst_p1;
  static constexpr auto field_add = blst_fp_add;
  static constexpr auto field_sub = blst_fp_sub;
  static constexpr auto field_mul = blst_fp_mul;
  static constexpr auto field_sqr = blst_fp_sqr;
  static constexpr auto field_cneg = blst_fp_cneg;
  static constexpr auto field_inverse = blst_fp_eucl_inverse;
  static constexpr auto field_sqrt = blst_fp_sqrt;
  static constexpr auto add = blst_p1_add_or_double;
  static constexpr auto add_affine = blst_p1_add_or_double_affine;
  static constexpr auto twice = blst_p1_double;
  static constexpr auto cneg = blst_p1_cneg;
  static constexpr auto mult = blst_p1_mult;
  static constexpr auto is_equal = blst_p1_is_equal;
  static constexpr auto to_affine = blst_p1_to_affine;
  static constexpr auto affine_on_curve = blst_p1_affine_on_curve;
  static constexpr auto affine_in_group = blst_p1_affine_in_g1;
  static constexpr auto affine_generator = blst_p1_affine_generator;
  static constexpr auto serialize = blst_p1_affine_serialize;
  static constexpr auto compress = blst_p1_affine_compress;
  static constexpr auto deserialize = blst_p1_deserialize;
  static constexpr auto uncompress = blst_p1_uncompress;
  static constexpr auto encode_to_curve = blst_encode_to_g1;
  static constexpr auto pippenger = blst_p1s_mult_pippenger;
  static constexpr auto pippenger_scratch = blst_p1s_mult_pippenger_scratch_sizeof;
};

template <>
struct Blst<Fp2> {
  using field = blst_fp2;
  using affine = blst_p2_affine;
  using point = blst_p2;
  static constexpr auto field_add = blst_fp2_add;
  static constexpr auto field_sub = blst_fp2_sub;
  static constexpr auto field_mul = blst_fp2_mul;
  static constexpr auto field_sqr = blst_fp2_sqr;
  static constexpr auto field_cneg = blst_fp2_cneg;
  static constexpr auto field_inverse = blst_fp2_eucl_inverse;
  static constexpr auto field_sqrt = blst_fp2_sqrt;
  static constexpr auto add = blst_p2_add_or_double;
  static constexpr auto add_affine = blst_p2_add_or_double_affine;
  static constexpr auto twice = blst_p2_double;
  static constexpr auto cneg = blst_p2_cneg;
  static constexpr auto mult = blst_p2_mult;
  static constexpr auto is_equal = blst_p2_is_equal;
  static constexpr auto to_affine = blst_p2_to_affine;
  static constexpr auto affine_on_curve = blst_p2_affine_on_curve;
  static constexpr auto affine_in_group = blst_p2_affine_in_g2;
  static constexpr auto affine_generator = blst_p2_affine_generator;
  static constexpr auto serialize = blst_p2_affine_serialize;
  static constexpr auto compress = blst_p2_affine_compress;
  static constexpr auto deserialize = blst_p2_deserialize;
  static constexpr auto uncompress = blst_p2_uncompress;
  static constexpr auto encode_to_curve = blst_encode_to_g2;
  static constexpr auto pippenger = blst_p2s_mult_pippenger;
  static constexpr auto pippenger_scratch = blst_p2s_mult_pippenger_scratch_sizeof;
};

inline const blst_fp* as_blst(const Fp* a) {
  return reinterpret_cast<const blst_fp*>(a);
}
inline blst_fp* as_blst(Fp* a) {
  return reinterpret_cast<blst_fp*>(a);
}
inline const blst_fp2* as_blst(const Fp2* a) {
  return reinterpret_cast<const blst_fp2*>(a);
}
inline blst_fp2* as_blst(Fp2* a) {
  return reinterpret_cast<blst_fp2*>(a);
}
template <class Field>
const typename Blst<Field>::affine* as_blst(const Affine<Field>* a) {
  return reinterpret_cast<const typename Blst<Field>::affine*>(a);
}
template <class Field>
typename Blst<Field>::affine* as_blst(Affine<Field>* a) {
  return reinterpret_cast<typename Blst<Field>::affine*>(a);
}
template <class Field>
const typename Blst<Field>::point* as_blst(const Jacobian<Field>* a) {
  return reinterpret_cast<const typename Blst<Field>::point*>(a);
}
template <class Field>
typename Blst<Field>::point* as_blst(Jacobian<Field>* a) {
  return reinterpret_cast<typename Blst<Field>::point*>(a);
}

}  // namespace pinion::bls::detail
