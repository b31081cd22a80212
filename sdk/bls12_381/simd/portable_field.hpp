// Eight elements of a prime field on any CPU: the interface of IfmaField, one blst call per element. Value and Factor
// are both blst's form here, always reduced, so the bounds of ifma_field.hpp hold trivially. This is what runs on CPUs
// without AVX-512 IFMA, and what the vector code is tested against.
#pragma once

#include <blst.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pinion::bls::simd {

struct FpScalarOps {
  using Element = blst_fp;
  static constexpr int words = 6;
  static constexpr auto add = blst_fp_add;
  static constexpr auto sub = blst_fp_sub;
  static constexpr auto mul = blst_fp_mul;
  static constexpr auto sqr = blst_fp_sqr;
  static constexpr auto cneg = blst_fp_cneg;
  static constexpr Element one{{0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba, 0x77ce585370525745,
                                0x5c071a97a256ec6d, 0x15f65ec3fa80e493}};
};
struct FrScalarOps {
  using Element = blst_fr;
  static constexpr int words = 4;
  static constexpr auto add = blst_fr_add;
  static constexpr auto sub = blst_fr_sub;
  static constexpr auto mul = blst_fr_mul;
  static constexpr auto sqr = blst_fr_sqr;
  static constexpr auto cneg = blst_fr_cneg;
  static constexpr Element one{{0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f}};
};

template <class Ops>
struct PortableField {
  using Element = typename Ops::Element;
  using Mask = std::uint8_t;
  static constexpr int words = Ops::words;
  struct Value {
    Element lane[8];
  };
  using Factor = Value;

  template <class F>
  static Value each(F&& f) {
    Value out;
    for (int i = 0; i < 8; ++i) f(&out.lane[i], i);
    return out;
  }
  template <class F>
  static Mask which(F&& f) {
    unsigned mask = 0;
    for (int i = 0; i < 8; ++i) mask |= static_cast<unsigned>(f(i)) << i;
    return static_cast<Mask>(mask);
  }
  static Value gather(const std::uint64_t* const (&from)[8]) {
    return each([&](Element* out, int i) { std::memcpy(out, from[i], sizeof(Element)); });
  }
  static void scatter(const Value& a, std::uint64_t* const (&to)[8]) {
    for (int i = 0; i < 8; ++i) std::memcpy(to[i], &a.lane[i], sizeof(Element));
  }
  static Factor factor(const Value& a) { return a; }
  static Value mul(const Value& a, const Value& b) {
    return each([&](Element* out, int i) { Ops::mul(out, &a.lane[i], &b.lane[i]); });
  }
  static Value mul_sum(const Value& a, const Factor& b, const Value& c, const Factor& d) {
    return add(mul(a, b), mul(c, d));
  }
  static Value square(const Value& a) {
    return each([&](Element* out, int i) { Ops::sqr(out, &a.lane[i]); });
  }
  static Value add(const Value& a, const Value& b) {
    return each([&](Element* out, int i) { Ops::add(out, &a.lane[i], &b.lane[i]); });
  }
  static Value sub(const Value& a, const Value& b) {
    return each([&](Element* out, int i) { Ops::sub(out, &a.lane[i], &b.lane[i]); });
  }
  static Value lazy_add(const Value& a, const Value& b) { return add(a, b); }
  template <int K>
  static Value lazy_sub(const Value& a, const Value& b) {
    return sub(a, b);
  }
  static Value lazy_mul(const Value& a, const Factor& b) { return mul(a, b); }
  static constexpr int factor_words = words;
  static Factor broadcast_factor(const std::uint64_t* from) {
    return each([&](Element* out, int) { std::memcpy(out, from, sizeof(Element)); });
  }
  static void write_factors(const std::uint64_t* const (&from)[8], std::uint64_t* to) {
    for (int i = 0; i < 8; ++i) std::memcpy(to + i * words, from[i], sizeof(Element));
  }
  static Value reduced(const Value& a) { return a; }
  static Value sub_reduced(const Value& a, const Value& b) { return sub(a, b); }
  static Value sub_reduced(const Value& a, const Value& b, const Value& c) { return sub(sub(a, b), c); }
  static Value negative(const Value& a) { return negate(0xff, a); }
  static Value negate(Mask mask, const Value& a) {
    return each([&](Element* out, int i) { Ops::cneg(out, &a.lane[i], (mask >> i & 1) != 0); });
  }
  static Value select(Mask mask, const Value& yes, const Value& no) {
    return each([&](Element* out, int i) { *out = (mask >> i & 1) != 0 ? yes.lane[i] : no.lane[i]; });
  }
  static Mask equal(const Value& a, const Value& b) {
    return which([&](int i) { return std::memcmp(&a.lane[i], &b.lane[i], sizeof(Element)) == 0; });
  }
  static Mask is_zero(const Value& a) { return equal(a, zero()); }
  static Value zero() { return Value{}; }
  static Factor one_factor() {
    return each([](Element* out, int) { *out = Ops::one; });
  }
  static void scatter_to_invert(const Factor& a, std::uint64_t* const (&to)[8]) { scatter(a, to); }
  static Factor gather_inverted(const std::uint64_t* const (&from)[8]) { return gather(from); }
};

using FpPortable = PortableField<FpScalarOps>;
using FrPortable = PortableField<FrScalarOps>;

}  // namespace pinion::bls::simd
