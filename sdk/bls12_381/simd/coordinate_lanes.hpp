// Coordinates of eight curve points, over either kind of lanes (IfmaField, PortableField): the prime field for G1, and
// its quadratic extension Fp[u]/(u^2 + 1) for G2. Internal linkage: see ifma_field.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pinion::bls::simd {
namespace {

// One coordinate of eight points: pointers to `words` words each.
template <class F>
struct PrimeCoordinates : F {
  using typename F::Factor;
  using typename F::Value;
  static constexpr int coordinate_words = F::words;

  [[gnu::always_inline]] static Factor inverse(const Factor& a, void (*invert)(std::uint64_t*)) {
    alignas(64) std::uint64_t memory[8 * F::words];
    std::uint64_t* to[8];
    const std::uint64_t* from[8];
    for (int i = 0; i < 8; ++i) from[i] = to[i] = memory + i * F::words;
    F::scatter_to_invert(a, to);
    invert(memory);
    return F::gather_inverted(from);
  }
};

template <class F>
struct QuadraticCoordinates {
  static constexpr int coordinate_words = 2 * F::words;
  struct Value {
    typename F::Value c0, c1;
  };
  struct Factor {
    typename F::Factor c0, c1;
  };
  using Mask = decltype(F::is_zero(typename F::Value{}));

  [[gnu::always_inline]] static Value gather(const std::uint64_t* const (&from)[8]) {
    const std::uint64_t* second[8];
    for (int i = 0; i < 8; ++i) second[i] = from[i] + F::words;
    return {F::gather(from), F::gather(second)};
  }
  [[gnu::always_inline]] static void scatter(const Value& a, std::uint64_t* const (&to)[8]) {
    std::uint64_t* second[8];
    for (int i = 0; i < 8; ++i) second[i] = to[i] + F::words;
    F::scatter(a.c0, to);
    F::scatter(a.c1, second);
  }
  [[gnu::always_inline]] static Factor factor(const Value& a) { return {F::factor(a.c0), F::factor(a.c1)}; }
  template <class A>
  [[gnu::always_inline]] static A mul(const A& a, const Factor& b) {
    return {F::mul_sum(a.c0, b.c0, F::negative(a.c1), b.c1), F::mul_sum(a.c0, b.c1, a.c1, b.c0)};
  }
  [[gnu::always_inline]] static Value square(const Value& a) {
    const auto difference = F::add(a.c0, F::negative(a.c1));
    return {F::mul(F::add(a.c0, a.c1), F::factor(difference)), F::mul(a.c0, F::factor(F::add(a.c1, a.c1)))};
  }
  [[gnu::always_inline]] static Value add(const Value& a, const Value& b) {
    return {F::add(a.c0, b.c0), F::add(a.c1, b.c1)};
  }
  [[gnu::always_inline]] static Value sub(const Value& a, const Value& b) {
    return {F::sub(a.c0, b.c0), F::sub(a.c1, b.c1)};
  }
  [[gnu::always_inline]] static Value reduced(const Value& a) { return {F::reduced(a.c0), F::reduced(a.c1)}; }
  [[gnu::always_inline]] static Value sub_reduced(const Value& a, const Value& b) {
    return {F::sub_reduced(a.c0, b.c0), F::sub_reduced(a.c1, b.c1)};
  }
  [[gnu::always_inline]] static Value sub_reduced(const Value& a, const Value& b, const Value& c) {
    return {F::sub_reduced(a.c0, b.c0, c.c0), F::sub_reduced(a.c1, b.c1, c.c1)};
  }
  [[gnu::always_inline]] static Value negate(Mask mask, const Value& a) {
    return {F::negate(mask, a.c0), F::negate(mask, a.c1)};
  }
  template <class T>
  [[gnu::always_inline]] static T select(Mask mask, const T& yes, const T& no) {
    return {F::select(mask, yes.c0, no.c0), F::select(mask, yes.c1, no.c1)};
  }
  [[gnu::always_inline]] static Mask equal(const Value& a, const Value& b) {
    return static_cast<Mask>(F::equal(a.c0, b.c0) & F::equal(a.c1, b.c1));
  }
  [[gnu::always_inline]] static Mask is_zero(const Value& a) {
    return static_cast<Mask>(F::is_zero(a.c0) & F::is_zero(a.c1));
  }
  [[gnu::always_inline]] static Value zero() { return {F::zero(), F::zero()}; }
  [[gnu::always_inline]] static Factor one_factor() {
    typename F::Factor none = F::factor(F::zero());
    return {F::one_factor(), none};
  }
  [[gnu::always_inline]] static Factor inverse(const Factor& a, void (*invert)(std::uint64_t*)) {
    alignas(64) std::uint64_t memory[8 * coordinate_words];
    std::uint64_t *to0[8], *to1[8];
    const std::uint64_t *from0[8], *from1[8];
    for (int i = 0; i < 8; ++i) {
      from0[i] = to0[i] = memory + i * coordinate_words;
      from1[i] = to1[i] = to0[i] + F::words;
    }
    F::scatter_to_invert(a.c0, to0);
    F::scatter_to_invert(a.c1, to1);
    invert(memory);
    return {F::gather_inverted(from0), F::gather_inverted(from1)};
  }
};

}  // namespace
}  // namespace pinion::bls::simd
