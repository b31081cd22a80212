// The probe for one kind of lanes; included by the field_probe_*.cpp.
#pragma once

#include <cstdint>

#include "field_probe.hpp"

namespace pinion::test {
namespace {

template <class F>
struct Probe {
  using Word = std::uint64_t;
  using Value = typename F::Value;

  static Value load(const Word* from) {
    const Word* at[8];
    for (int i = 0; i < 8; ++i) at[i] = from + i * F::words;
    return F::gather(at);
  }
  template <class Operation>
  static void apply(const Word* a, const Word* b, Word* out, Operation&& operation) {
    Word* at[8];
    for (int i = 0; i < 8; ++i) at[i] = out + i * F::words;
    F::scatter(F::reduced(operation(load(a), load(b))), at);
  }
  static Value lazy(Value a, const Value& b) {
    const auto one = F::one_factor();
    const auto by = F::mul(F::mul(one, F::factor(b)), one);  // reduced, as table entries are
    for (int layer = 0; layer < 14; ++layer) a = F::lazy_add(a, F::lazy_mul(a, by));
    return F::template lazy_sub<2>(a, F::lazy_mul(a, by));
  }
  static Value same_or_zero(const Value& a, const Value& b) {
    return F::select(static_cast<typename F::Mask>(F::equal(a, b)), a, F::zero());
  }
  static constexpr FieldProbe table() {
    return {
        [](const Word* a, const Word* b, Word* out) {
          apply(a, b, out, [](const Value& x, const Value& y) { return F::mul(x, F::factor(y)); });
        },
        [](const Word* a, const Word* b, Word* out) {
          apply(a, b, out, [](const Value& x, const Value& y) { return F::add(x, y); });
        },
        [](const Word* a, const Word* b, Word* out) {
          apply(a, b, out, [](const Value& x, const Value& y) { return F::sub(x, y); });
        },
        [](const Word* a, const Word* b, Word* out) {
          apply(a, b, out, [](const Value& x, const Value&) { return F::square(x); });
        },
        [](const Word* a, const Word* b, Word* out) {
          apply(a, b, out, [](const Value& x, const Value& y) { return F::mul_sum(x, F::factor(y), x, F::factor(y)); });
        },
        [](const Word* a, const Word* b, Word* out) {
          apply(a, b, out, [](const Value& x, const Value& y) { return F::sub_reduced(x, y, y); });
        },
        [](const Word* a, const Word* b, Word* out) { apply(a, b, out, lazy); },
        [](const Word* a, const Word* b, Word* out) {
          apply(a, b, out, [](const Value& x, const Value& y) { return F::negate(F::is_zero(y), x); });
        },
        [](const Word* a, const Word* b, Word* out) { apply(a, b, out, same_or_zero); },
    };
  }
};

}  // namespace
}  // namespace pinion::test
