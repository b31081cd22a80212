// Eight elements as limbs in AVX-512 registers, register i holding limb i of all eight, and how they come from memory
// and go back. Arithmetic is ifma_field.hpp; the rules of linkage stated there hold here too.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <utility>

#include "limbs52.hpp"

namespace pinion::bls::simd {
namespace {

using V = __m512i;
using Mask = __mmask8;

// f(0), …, f(N - 1) with constant arguments, always unrolled
template <int N, class F>
[[gnu::always_inline]] inline void unroll(F&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, N>{});
}

[[gnu::always_inline]] inline V broadcast(std::uint64_t x) {
  return _mm512_set1_epi64(static_cast<long long>(x));
}

// rows[i] = eight words of element i  ->  rows[j] = word j of all eight; its own inverse
[[gnu::always_inline]] inline void transpose(V (&rows)[8]) {
  V pairs[8];
  unroll<4>([&](auto i) {
    pairs[2 * i] = _mm512_unpacklo_epi64(rows[2 * i], rows[2 * i + 1]);
    pairs[2 * i + 1] = _mm512_unpackhi_epi64(rows[2 * i], rows[2 * i + 1]);
  });
  V quads[8];
  unroll<2>([&](auto h) {
    unroll<2>([&](auto k) {
      const V a = pairs[4 * h + k], b = pairs[4 * h + 2 + k];
      quads[4 * h + k] = _mm512_shuffle_i64x2(a, b, 0x88);      // 128-bit pieces 0 and 2 of both
      quads[4 * h + 2 + k] = _mm512_shuffle_i64x2(a, b, 0xdd);  // 1 and 3
    });
  });
  unroll<2>([&](auto k) {
    rows[0 + k] = _mm512_shuffle_i64x2(quads[0 + k], quads[4 + k], 0x88);
    rows[4 + k] = _mm512_shuffle_i64x2(quads[0 + k], quads[4 + k], 0xdd);
    rows[2 + k] = _mm512_shuffle_i64x2(quads[2 + k], quads[6 + k], 0x88);
    rows[6 + k] = _mm512_shuffle_i64x2(quads[2 + k], quads[6 + k], 0xdd);
  });
}

template <auto& Field>
struct IfmaLimbs {
  static constexpr int limbs = Field.limbs;
  static constexpr int words = Field.words;
  using Mask = simd::Mask;
  struct Value {
    V limb[limbs];
  };
  struct Factor {
    V limb[limbs];
  };

  // Propagates carries of signed limbs; the value must lie in [0, 2^(52 limbs)), what exceeds it is dropped.
  template <class T>
  [[gnu::always_inline]] static T normalized(T a) {
    const V mask = broadcast(limb_mask);
    unroll<limbs - 1>([&](auto i) {
      a.limb[i + 1] = _mm512_add_epi64(a.limb[i + 1], _mm512_srai_epi64(a.limb[i], limb_bits));
      a.limb[i] = _mm512_and_si512(a.limb[i], mask);
    });
    a.limb[limbs - 1] = _mm512_and_si512(a.limb[limbs - 1], mask);
    return a;
  }

  // Words j of eight elements -> limbs, and back. The element must fit into the words.
  [[gnu::always_inline]] static Value unpack(const V (&w)[8]) {
    Value out;
    unroll<limbs>([&](auto j) {
      constexpr int word = j * limb_bits / 64, at = j * limb_bits % 64;
      V limb = _mm512_srli_epi64(w[word], at);
      if constexpr (at > 64 - limb_bits && word + 1 < words)
        limb = _mm512_or_si512(limb, _mm512_slli_epi64(w[word + 1], 64 - at));
      out.limb[j] = _mm512_and_si512(limb, broadcast(limb_mask));
    });
    return out;
  }
  [[gnu::always_inline]] static void pack(const Value& a, V (&w)[8]) {
    unroll<8>([&](auto k) {
      w[k] = _mm512_setzero_si512();
      unroll<limbs>([&](auto j) {
        constexpr int at = j * limb_bits - k * 64;  // of limb j in word k
        if constexpr (k < words && at >= 0 && at < 64) w[k] = _mm512_or_si512(w[k], _mm512_slli_epi64(a.limb[j], at));
        if constexpr (k < words && at < 0 && at > -limb_bits)
          w[k] = _mm512_or_si512(w[k], _mm512_srli_epi64(a.limb[j], -at));
      });
    });
  }
  // Elements of `words` words at eight addresses.
  [[gnu::always_inline]] static Value gather(const std::uint64_t* const (&from)[8]) {
    V rows[8];
    unroll<8>([&](auto i) { rows[i] = _mm512_maskz_loadu_epi64((1 << words) - 1, from[i]); });
    transpose(rows);
    return unpack(rows);
  }
  // a < 2^(64 words)
  [[gnu::always_inline]] static void scatter(const Value& a, std::uint64_t* const (&to)[8]) {
    V rows[8];
    pack(a, rows);
    transpose(rows);
    unroll<8>([&](auto i) { _mm512_mask_storeu_epi64(to[i], (1 << words) - 1, rows[i]); });
  }
  template <class T = Value>
  [[gnu::always_inline]] static T constant(const Limbs52<limbs>& x) {
    T out;
    unroll<limbs>([&](auto i) { out.limb[i] = broadcast(x.v[i]); });
    return out;
  }

  // a * 2^Bits on limbs, a < 2^(52 limbs - Bits)
  template <int Bits, class T, class From>
  [[gnu::always_inline]] static T shifted(const From& a) {
    T out;
    unroll<limbs>([&](auto i) {
      V limb = _mm512_slli_epi64(a.limb[i], Bits);
      if constexpr (i > 0) limb = _mm512_or_si512(limb, _mm512_srli_epi64(a.limb[i - 1], limb_bits - Bits));
      out.limb[i] = _mm512_and_si512(limb, broadcast(limb_mask));
    });
    return out;
  }
  [[gnu::always_inline]] static Factor factor(const Value& a) { return shifted<Field.shift, Factor>(a); }
};

}  // namespace
}  // namespace pinion::bls::simd
