// From sums in XYZZ to affine points in memory: a thread (a pair of lanes in G2) takes a run of points and inverts once
// (Montgomery's trick). For test data and test keys.
#pragma once

#include "curve.cuh"

namespace pinion::cuda::check {

inline constexpr unsigned affine_run = 64;  // points

__device__ __noinline__ Fp product(const Fp& a, const Fp& b) {
  return a * b;
}
// a^(p - 2)
__device__ __noinline__ Fp inverse(const Fp& a) {
  u32 exponent[12];
  fp_modulus(exponent);
  exponent[0] -= 2;
  Fp out = fp_one();
  for (int bit = 380; bit >= 0; --bit) {
    out = product(out, out);
    u32 word = 0;
    for (int j = 0; j < 12; ++j) word = bit / 32 == j ? exponent[j] : word;
    if ((word >> (bit % 32) & 1) != 0) out = product(out, a);
  }
  return out;
}
__device__ __noinline__ Fp2 product(const Fp2& a, const Fp2& b) {
  return a * b;
}
// (c0 - c1 u) / (c0^2 + c1^2)
__device__ Fp2 inverse(const Fp2& a) {
  const Fp mine = product(a.own, a.own);
  return {product(negate_if(a.own, is_odd_lane()), inverse(mine + partner(mine)))};
}

// Points first … end - 1 of a run: next(i) is called once for each, ascending, and gives the point, none of them
// infinity; place(i) is where it goes. `scratch` has three field elements for each point of all runs.
template <class Group, class Next, class Place>
__device__ void write_affine(std::size_t first, std::size_t end, Next&& next, uint4* scratch, Place&& place) {
  using Field = typename Group::Field;
  constexpr unsigned step = fp_words * Group::lanes;
  const auto lane_words = [](uint4* at) { return at + fp_words * Group::lane(); };
  const auto get = [](const uint4* at) {
    Field a;
    Group::half(a) = load_fp(at);
    return a;
  };
  // With 1 / zzz known, 1 / zz = (zz / zzz)^2, because zz^3 = zzz^2. Three values a point: prefix product, zz, zzz.
  Field prefix = Group::one();
  for (std::size_t i = first; i < end; ++i) {
    const Xyzz<Group> point = next(i);
    uint4* const kept = lane_words(scratch + 3 * i * step);
    uint4* const at = lane_words(place(i));
    store_fp(kept, Group::half(prefix));
    store_fp(kept + step, Group::half(point.zz));
    store_fp(kept + 2 * step, Group::half(point.zzz));
    store_fp(at, Group::half(point.x));
    store_fp(at + step, Group::half(point.y));
    prefix = product(prefix, point.zzz);
  }
  Field back = inverse(prefix);
  for (std::size_t i = end; i-- > first;) {
    uint4* const kept = lane_words(scratch + 3 * i * step);
    uint4* const at = lane_words(place(i));
    const Field inverse_zzz = product(back, get(kept));
    back = product(back, get(kept + 2 * step));
    const Field ratio = product(get(kept + step), inverse_zzz);
    store_fp(at, Group::half(product(get(at), product(ratio, ratio))));
    store_fp(at + step, Group::half(product(get(at + step), inverse_zzz)));
  }
}

}  // namespace pinion::cuda::check
