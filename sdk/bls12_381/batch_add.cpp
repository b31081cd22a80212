#include "batch_add.hpp"

#include <cassert>

#include "blst_types.hpp"

namespace pinion::bls {

namespace {

using detail::as_blst;
using detail::Blst;

// Field arithmetic on places, without copies: this is the inner loop of setup.
template <class Field>
struct At {
  static void add(Field& out, const Field& a, const Field& b) {
    Blst<Field>::field_add(as_blst(&out), as_blst(&a), as_blst(&b));
  }
  static void sub(Field& out, const Field& a, const Field& b) {
    Blst<Field>::field_sub(as_blst(&out), as_blst(&a), as_blst(&b));
  }
  static void mul(Field& out, const Field& a, const Field& b) {
    Blst<Field>::field_mul(as_blst(&out), as_blst(&a), as_blst(&b));
  }
  static void sqr(Field& out, const Field& a) { Blst<Field>::field_sqr(as_blst(&out), as_blst(&a)); }
};

template <class Field>
const Affine<Field>& entry(std::span<const Affine<Field>> table, std::int32_t digit) {
  return table[static_cast<std::size_t>(digit < 0 ? -std::int64_t{digit} : digit) - 1];
}

template <class Field>
Field y_of(const Affine<Field>& point, bool negative) {
  return negative ? -point.y : point.y;
}

// The denominator of the slope of sum + term, or nothing where the sum needs no slope.
template <class Field>
bool denominator(Field& out, const Affine<Field>& sum, const Affine<Field>& term, bool negative) {
  At<Field>::sub(out, term.x, sum.x);
  if (!out.is_zero()) [[likely]]
    return !sum.is_infinity() && !term.is_infinity();
  if (sum.is_infinity() || sum.y != y_of(term, negative)) return false;
  At<Field>::add(out, sum.y, sum.y);
  return true;
}

// What sum + term is where denominator() said no: one of them is infinity, or they are opposite.
template <class Field>
void add_without_slope(Affine<Field>& sum, const Affine<Field>& term, bool negative) {
  if (sum.is_infinity()) {
    sum = {term.x, y_of(term, negative)};
  } else if (!term.is_infinity()) {
    sum = Affine<Field>::infinity();
  }
}

template <class Field>
void add_with_slope(Affine<Field>& sum, const Affine<Field>& term, bool negative, const Field& inverse) {
  using F = At<Field>;
  Field slope, x, y;
  if (sum.x == term.x) [[unlikely]] {  // doubling: 3 x^2 / 2 y
    F::sqr(x, sum.x);
    F::add(slope, x, x);
    F::add(slope, slope, x);
  } else if (negative) {
    F::add(slope, term.y, sum.y);
    slope = -slope;
  } else {
    F::sub(slope, term.y, sum.y);
  }
  F::mul(slope, slope, inverse);
  F::sqr(x, slope);
  F::sub(x, x, sum.x);
  F::sub(x, x, term.x);
  F::sub(y, sum.x, x);
  F::mul(y, y, slope);
  F::sub(sum.y, y, sum.y);
  sum.x = x;
}

}  // namespace

template <class Field>
void add_multiples(std::span<Affine<Field>> sums, std::span<const Affine<Field>> table,
                   std::span<const std::int32_t> digits, std::span<Field> scratch) {
  assert(sums.size() == digits.size() && sums.size() == scratch.size());
  constexpr std::size_t ahead = 12;  // table entries come from far caches
  // scratch[i] = product of the denominators before i.
  Field product = Field::one(), slope_denominator;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (i + ahead < sums.size() && digits[i + ahead] != 0) {
      const Affine<Field>* next = &entry(table, digits[i + ahead]);
      __builtin_prefetch(next);
      __builtin_prefetch(reinterpret_cast<const std::uint8_t*>(next) + sizeof *next - 1);
    }
    scratch[i] = product;
    if (digits[i] == 0) continue;
    if (denominator(slope_denominator, sums[i], entry(table, digits[i]), digits[i] < 0))
      At<Field>::mul(product, product, slope_denominator);
  }
  Field inverse = product.inverse(), own;
  for (std::size_t i = sums.size(); i-- > 0;) {
    if (digits[i] == 0) continue;
    const Affine<Field>& term = entry(table, digits[i]);
    const bool negative = digits[i] < 0;
    if (!denominator(slope_denominator, sums[i], term, negative)) {
      add_without_slope(sums[i], term, negative);
      continue;
    }
    At<Field>::mul(own, inverse, scratch[i]);
    At<Field>::mul(inverse, inverse, slope_denominator);
    add_with_slope(sums[i], term, negative, own);
  }
}

template void add_multiples(std::span<G1Affine>, std::span<const G1Affine>, std::span<const std::int32_t>,
                            std::span<Fp>);
template void add_multiples(std::span<G2Affine>, std::span<const G2Affine>, std::span<const std::int32_t>,
                            std::span<Fp2>);

}  // namespace pinion::bls
