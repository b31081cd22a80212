// Eight elements of a prime field at once on AVX-512 IFMA, limb by limb: register i holds limb i of all eight.
//
// Two forms, kept apart by type. A Value is what memory holds: the number x*R mod p with blst's R (2^384 for Fp, 2^256
// for Fr). A Factor holds x*R*2^shift, what Montgomery reduction over whole 52-bit limbs wants as its second operand.
// So mul(Value, Factor) is a Value and mul(Factor, Factor) a Factor, and turning a Value into a Factor is a shift, not
// a multiplication. Elements are not fully reduced unless a function says so; the limbs have 35 (Fp) and 5 (Fr) bits to
// spare, and each function states the bound of what it returns, in multiples of p.
//
// Only for files compiled with -mavx512ifma that run after a CPUID check; everything has internal linkage so that no
// AVX-512 code can be picked by the linker for other files. Source: Gueron and Krasnov, "Software implementation of
// modular exponentiation, using advanced vector instructions architectures" (2012); Montgomery (1985).
#pragma once

#include "ifma_limbs.hpp"

namespace pinion::bls::simd {
namespace {

template <auto& Field>
struct IfmaField : IfmaLimbs<Field> {
  static constexpr int limbs = Field.limbs;
  using Limbs = IfmaLimbs<Field>;
  using Limbs::constant;
  using Limbs::factor;
  using Limbs::gather;
  using Limbs::normalized;
  using Limbs::scatter;
  using typename Limbs::Factor;
  using typename Limbs::Mask;
  using typename Limbs::Value;

  // a*b / 2^(52 limbs) mod p, below a*b / 2^(52 limbs) + p; limbs not normalized
  template <class T, class A>
  [[gnu::always_inline]] static T product_raw(const A& a, const Factor& b) {
    T out;
    V acc[limbs + 1];
    unroll<limbs + 1>([&](auto j) { acc[j] = _mm512_setzero_si512(); });
    unroll<limbs>([&](auto i) {
      unroll<limbs>([&](auto j) { acc[j] = _mm512_madd52lo_epu64(acc[j], a.limb[j], b.limb[i]); });
      reduce_limb(acc, [&](auto j) { acc[j] = _mm512_madd52hi_epu64(acc[j], a.limb[j], b.limb[i]); });
    });
    unroll<limbs>([&](auto j) { out.limb[j] = acc[j]; });
    return out;
  }
  // The same for a*b + c*d
  template <class T, class A>
  [[gnu::always_inline]] static T product_sum_raw(const A& a, const Factor& b, const A& c, const Factor& d) {
    T out;
    V acc[limbs + 1];
    unroll<limbs + 1>([&](auto j) { acc[j] = _mm512_setzero_si512(); });
    unroll<limbs>([&](auto i) {
      unroll<limbs>([&](auto j) {
        acc[j] = _mm512_madd52lo_epu64(acc[j], a.limb[j], b.limb[i]);
        acc[j] = _mm512_madd52lo_epu64(acc[j], c.limb[j], d.limb[i]);
      });
      reduce_limb(acc, [&](auto j) {
        acc[j] = _mm512_madd52hi_epu64(acc[j], a.limb[j], b.limb[i]);
        acc[j] = _mm512_madd52hi_epu64(acc[j], c.limb[j], d.limb[i]);
      });
    });
    unroll<limbs>([&](auto j) { out.limb[j] = acc[j]; });
    return out;
  }
  template <class A>
  [[gnu::always_inline]] static auto mul(const A& a, const Factor& b) {
    return normalized(product_raw<A>(a, b));
  }
  template <class A>
  [[gnu::always_inline]] static auto mul_sum(const A& a, const Factor& b, const A& c, const Factor& d) {
    return normalized(product_sum_raw<A>(a, b, c, d));
  }
  [[gnu::always_inline]] static Value mul(const Value& a, const Value& b) { return mul(a, factor(b)); }

  // a^2, below 2p for a < 2p. Half the shift on each side, and each cross product once.
  [[gnu::always_inline]] static Value square(const Value& a) {
    const Value x = Limbs::template shifted<Field.shift / 2, Value>(a);
    V wide[2 * limbs];
    unroll<2 * limbs>([&](auto j) { wide[j] = _mm512_setzero_si512(); });
    unroll<limbs>([&](auto i) {
      unroll<limbs>([&](auto j) {
        if constexpr (i < j) {
          wide[i + j] = _mm512_madd52lo_epu64(wide[i + j], x.limb[i], x.limb[j]);
          wide[i + j + 1] = _mm512_madd52hi_epu64(wide[i + j + 1], x.limb[i], x.limb[j]);
        }
      });
    });
    unroll<2 * limbs>([&](auto j) { wide[j] = _mm512_add_epi64(wide[j], wide[j]); });
    unroll<limbs>([&](auto i) {
      wide[2 * i] = _mm512_madd52lo_epu64(wide[2 * i], x.limb[i], x.limb[i]);
      wide[2 * i + 1] = _mm512_madd52hi_epu64(wide[2 * i + 1], x.limb[i], x.limb[i]);
    });
    V acc[limbs + 1];
    unroll<limbs>([&](auto j) { acc[j] = wide[j]; });
    acc[limbs] = _mm512_setzero_si512();
    unroll<limbs>([&](auto i) {
      reduce_limb(acc, [&](auto j) {
        if constexpr (j == limbs - 1) acc[j] = _mm512_add_epi64(acc[j], wide[limbs + i]);
      });
    });
    Value out;
    unroll<limbs>([&](auto j) { out.limb[j] = acc[j]; });
    return normalized(out);
  }

  template <class T>
  [[gnu::always_inline]] static T add_raw(const T& a, const T& b) {
    T out;
    unroll<limbs>([&](auto i) { out.limb[i] = _mm512_add_epi64(a.limb[i], b.limb[i]); });
    return out;
  }
  template <class T>
  [[gnu::always_inline]] static T sub_raw(const T& a, const T& b) {
    T out;
    unroll<limbs>([&](auto i) { out.limb[i] = _mm512_sub_epi64(a.limb[i], b.limb[i]); });
    return out;
  }
  [[gnu::always_inline]] static Value modulus() { return constant(Field.p); }
  [[gnu::always_inline]] static Value twice_modulus() { return constant(sum(Field.p, Field.p)); }
  // a + b
  [[gnu::always_inline]] static Value add(const Value& a, const Value& b) { return normalized(add_raw(a, b)); }
  // a - b + p, for b <= p
  [[gnu::always_inline]] static Value sub(const Value& a, const Value& b) {
    return normalized(add_raw(sub_raw(a, b), modulus()));
  }

  // The same element in [0, p), from signed limbs of a value in [0, 2^14 p) below 2^(52 limbs).
  [[gnu::always_inline]] static Value reduced(const Value& raw) {
    constexpr std::uint64_t top = Field.p.v[limbs - 1] + 1;
    constexpr int top_bits = 63 - __builtin_clzll(top);
    constexpr auto reciprocal =
        static_cast<std::uint64_t>((static_cast<unsigned __int128>(1) << (limb_bits + top_bits)) / top);
    static_assert(reciprocal >> limb_bits == 0);
    constexpr Limbs52<limbs> negative = complement(Field.p);
    Value a = normalized(raw);
    V q = _mm512_madd52hi_epu64(_mm512_setzero_si512(), a.limb[limbs - 1], broadcast(reciprocal));
    q = _mm512_srli_epi64(q, top_bits);  // floor(a / p), or one less
    unroll<limbs>([&](auto i) {
      a.limb[i] = _mm512_madd52lo_epu64(a.limb[i], q, broadcast(negative.v[i]));
      if constexpr (i + 1 < limbs) a.limb[i + 1] = _mm512_madd52hi_epu64(a.limb[i + 1], q, broadcast(negative.v[i]));
    });
    a = normalized(a);  // in [0, 2p)
    Value less = sub_raw(a, modulus());
    unroll<limbs - 1>([&](auto i) {
      less.limb[i + 1] = _mm512_add_epi64(less.limb[i + 1], _mm512_srai_epi64(less.limb[i], limb_bits));
      less.limb[i] = _mm512_and_si512(less.limb[i], broadcast(limb_mask));
    });
    const Mask below = _mm512_movepi64_mask(less.limb[limbs - 1]);
    return select(below, a, less);
  }
  // a - b - c in [0, p), for b, c <= p and a below 8p; and a - b
  [[gnu::always_inline]] static Value sub_reduced(const Value& a, const Value& b, const Value& c) {
    return reduced(add_raw(sub_raw(sub_raw(a, b), c), twice_modulus()));
  }
  [[gnu::always_inline]] static Value sub_reduced(const Value& a, const Value& b) {
    return reduced(add_raw(sub_raw(a, b), modulus()));
  }

  // For transforms: sums that are never normalized, differences kept positive by K p (K a power of two, b < K p), and
  // products of such, below 2p for a < 35p (Fr) and b < p.
  [[gnu::always_inline]] static Value lazy_add(const Value& a, const Value& b) { return add_raw(a, b); }
  template <int K>
  [[gnu::always_inline]] static Value lazy_sub(const Value& a, const Value& b) {
    return add_raw(sub_raw(a, b), constant(multiple(K)));
  }
  [[gnu::always_inline]] static Value lazy_mul(const Value& a, const Factor& b) {
    return product_raw<Value>(normalized(a), b);
  }
  // A Factor as memory holds it, the same for all lanes: limbs words each.
  static constexpr int factor_words = limbs;
  [[gnu::always_inline]] static Factor broadcast_factor(const std::uint64_t* from) {
    Factor out;
    unroll<limbs>([&](auto i) { out.limb[i] = broadcast(from[i]); });
    return out;
  }
  // Eight elements at `from` -> eight such factors at `to`
  [[gnu::always_inline]] static void write_factors(const std::uint64_t* const (&from)[8], std::uint64_t* to) {
    const Factor a = factor(gather(from));
    Value plain;
    unroll<limbs>([&](auto i) { plain.limb[i] = a.limb[i]; });
    plain = reduced(plain);
    alignas(64) std::uint64_t limb[limbs][8];
    unroll<limbs>([&](auto i) { _mm512_store_si512(limb[i], plain.limb[i]); });
    for (int lane = 0; lane < 8; ++lane)
      for (int i = 0; i < limbs; ++i) to[lane * limbs + i] = limb[i][lane];
  }

  // Lanes of `yes` where the mask is set
  template <class T>
  [[gnu::always_inline]] static T select(Mask mask, const T& yes, const T& no) {
    T out;
    unroll<limbs>([&](auto i) { out.limb[i] = _mm512_mask_mov_epi64(no.limb[i], mask, yes.limb[i]); });
    return out;
  }
  // Both reduced
  [[gnu::always_inline]] static Mask equal(const Value& a, const Value& b) {
    V difference = _mm512_setzero_si512();
    unroll<limbs>([&](auto i) { difference = _mm512_or_si512(difference, _mm512_xor_si512(a.limb[i], b.limb[i])); });
    return _mm512_testn_epi64_mask(difference, difference);
  }
  [[gnu::always_inline]] static Mask is_zero(const Value& a) {
    V any = _mm512_setzero_si512();
    unroll<limbs>([&](auto i) { any = _mm512_or_si512(any, a.limb[i]); });
    return _mm512_testn_epi64_mask(any, any);
  }
  [[gnu::always_inline]] static Value zero() { return constant(Limbs52<limbs>{}); }
  [[gnu::always_inline]] static Factor one_factor() {
    return Limbs::template constant<Factor>(power_of_two(limbs * limb_bits, Field.p));
  }
  // 4p - a, for a < 4p
  template <class T>
  [[gnu::always_inline]] static T negative(const T& a) {
    constexpr Limbs52<limbs> twice = sum(Field.p, Field.p);
    return normalized(sub_raw(Limbs::template constant<T>(sum(twice, twice)), a));
  }
  // For inversion by scalar code. What that reads as x*2^shift it gives back as (x*2^shift)^-1.
  [[gnu::always_inline]] static void scatter_to_invert(const Factor& a, std::uint64_t* const (&to)[8]) {
    Value plain;
    unroll<limbs>([&](auto i) { plain.limb[i] = a.limb[i]; });
    scatter(reduced(plain), to);
  }
  [[gnu::always_inline]] static Factor gather_inverted(const std::uint64_t* const (&from)[8]) {
    const Value a = gather(from);
    Factor out;
    unroll<limbs>([&](auto i) { out.limb[i] = a.limb[i]; });
    return mul(out, Limbs::template constant<Factor>(power_of_two(limbs * limb_bits + 2 * Field.shift, Field.p)));
  }
  // -a where the mask is set, a in [0, p); so is the result
  [[gnu::always_inline]] static Value negate(Mask mask, const Value& a) {
    const Mask some = static_cast<Mask>(mask & ~is_zero(a));
    return some == 0 ? a : select(some, normalized(sub_raw(modulus(), a)), a);
  }

 private:
  static constexpr Limbs52<limbs> multiple(int k) { return k == 1 ? Field.p : sum(multiple(k / 2), multiple(k / 2)); }

  // One step of Montgomery's reduction: makes limb 0 a multiple of 2^52 and divides by 2^52. `high(j)` adds the high
  // halves that belong to the new limb j.
  template <class High>
  [[gnu::always_inline]] static void reduce_limb(V (&acc)[limbs + 1], High&& high) {
    const V m = _mm512_madd52lo_epu64(_mm512_setzero_si512(), acc[0], broadcast(Field.n0));
    unroll<limbs>([&](auto j) { acc[j] = _mm512_madd52lo_epu64(acc[j], m, broadcast(Field.p.v[j])); });
    acc[1] = _mm512_add_epi64(acc[1], _mm512_srli_epi64(acc[0], limb_bits));
    unroll<limbs>([&](auto j) { acc[j] = acc[j + 1]; });
    acc[limbs] = _mm512_setzero_si512();
    unroll<limbs>([&](auto j) {
      acc[j] = _mm512_madd52hi_epu64(acc[j], m, broadcast(Field.p.v[j]));
      high(j);
    });
  }
};

using FpIfma = IfmaField<fp52>;
using FrIfma = IfmaField<fr52>;

}  // namespace
}  // namespace pinion::bls::simd
