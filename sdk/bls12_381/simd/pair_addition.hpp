// Sums of many pairs of affine points with one shared inversion (Montgomery's trick), eight pairs at a time:
//   lambda = (y2 - y1) / (x2 - x1), x3 = lambda^2 - x1 - x2, y3 = lambda (x1 - x3) - y1.
// Complete: equal points are doubled (lambda = 3 x1^2 / 2 y1), opposite ones give infinity, infinity is neutral. Costs
// 5M + 1S a pair plus one inversion for 8 * group_limit pairs. A template over the coordinates (coordinate_lanes.hpp);
// internal linkage: see ifma_field.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "point_refs.hpp"

namespace pinion::bls::simd {
namespace {

template <class C>
class PairAddition {
 public:
  using Value = typename C::Value;
  using Factor = typename C::Factor;
  using Mask = std::uint8_t;
  static constexpr int point_words = 2 * C::coordinate_words;
  static constexpr std::size_t group_limit = 256 * 6 / C::coordinate_words;  // so that the scratch stays in L2

  // What the way down leaves for the way up, of eight pairs.
  struct Group {
    Factor difference, before;  // x2 - x1 (or what replaces it); product of the differences of earlier groups
    Mask doubled, vanishing, first_infinite, second_infinite;
  };
  static constexpr std::size_t scratch_bytes = group_limit * sizeof(Group);

  // out[i] = point(refs[2i]) + point(refs[2i + 1]) for i < pairs. `out` may be where the first operands lie, in order.
  static void run(const std::uint64_t* points, const PointRef* refs, std::size_t pairs, std::uint64_t* out,
                  Group* groups, void (*invert)(std::uint64_t*)) {
    while (pairs > 0) {
      const std::size_t now = pairs < 8 * group_limit ? pairs : 8 * group_limit;
      PairAddition batch{points, refs, now, groups};
      const Factor product = batch.way_down();
      batch.way_up(C::inverse(product, invert), out);
      refs += 2 * now;
      out += now * point_words;
      pairs -= now;
    }
  }

 private:
  struct Operands {
    const std::uint64_t* at[8];
    Mask negated = 0;
  };

  PairAddition(const std::uint64_t* points, const PointRef* refs, std::size_t pairs, Group* groups)
      : points_(points), refs_(refs), pairs_(pairs), group_count_((pairs + 7) / 8), groups_(groups) {}

  // First (side 0) or second (side 1) operands of a group; the last group repeats its first pair to be full.
  [[gnu::always_inline]] Operands operands(std::size_t group, std::size_t side) const {
    Operands out;
    unsigned negated = 0;
    for (std::size_t lane = 0; lane < 8; ++lane) {
      const std::size_t pair = 8 * group + lane < pairs_ ? 8 * group + lane : 8 * group;
      const PointRef ref = refs_[2 * pair + side];
      out.at[lane] = points_ + std::size_t{ref & ~negated_point} * point_words;
      negated |= (ref >> 31) << lane;
    }
    out.negated = static_cast<Mask>(negated);
    return out;
  }
  [[gnu::always_inline]] void prefetch(std::size_t group) const {
    if (8 * group + 8 > pairs_) return;
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint64_t* const at = points_ + std::size_t{refs_[16 * group + i] & ~negated_point} * point_words;
      for (int word = 0; word < point_words; word += 8) __builtin_prefetch(at + word);
      __builtin_prefetch(at + point_words - 1);
    }
  }
  [[gnu::always_inline]] static Value load_x(const Operands& p) { return C::gather(p.at); }
  [[gnu::always_inline]] static Value load_y(const Operands& p) {
    const std::uint64_t* at[8];
    for (int lane = 0; lane < 8; ++lane) at[lane] = p.at[lane] + C::coordinate_words;
    return C::negate(p.negated, C::gather(at));
  }

  [[gnu::flatten]] Factor way_down() {
    Factor product = C::one_factor();
    for (std::size_t g = 0; g < group_count_; ++g) {
      prefetch(g + 4);
      const Operands first = operands(g, 0), second = operands(g, 1);
      const Value x1 = load_x(first), x2 = load_x(second);
      Group& group = groups_[g];
      group.before = product;
      group.difference = C::factor(C::sub(x2, x1));
      group.doubled = group.vanishing = group.first_infinite = group.second_infinite = 0;
      if ((C::equal(x1, x2) | C::is_zero(x1) | C::is_zero(x2)) != 0)
        classify(group, x1, x2, load_y(first), load_y(second));
      product = C::mul(product, group.difference);
    }
    return product;
  }
  // The rare groups where a pair needs another formula: x2 - x1 would be zero, or meaningless.
  [[gnu::noinline, gnu::flatten]] static void classify(Group& group, const Value& x1, const Value& x2, const Value& y1,
                                                       const Value& y2) {
    const unsigned first = C::is_zero(x1) & C::is_zero(y1), second = C::is_zero(x2) & C::is_zero(y2);
    const unsigned finite = ~(first | second), same_x = C::equal(x1, x2) & finite;
    const unsigned doubled = same_x & C::equal(y1, y2) & ~unsigned{C::is_zero(y1)};
    group.first_infinite = static_cast<Mask>(first);
    group.second_infinite = static_cast<Mask>(second & ~first);
    group.doubled = static_cast<Mask>(doubled);
    group.vanishing = static_cast<Mask>(same_x & ~doubled);
    const auto trivial = static_cast<Mask>(first | second | group.vanishing);
    group.difference = C::select(trivial, C::one_factor(), group.difference);
    group.difference = C::select(group.doubled, C::factor(C::add(y1, y1)), group.difference);
  }

  [[gnu::flatten]] void way_up(Factor inverse, std::uint64_t* out) {
    for (std::size_t g = group_count_; g-- > 0;) {
      const Group& group = groups_[g];
      const Factor own = C::mul(inverse, group.before);
      inverse = C::mul(inverse, group.difference);
      const Operands first = operands(g, 0), second = operands(g, 1);
      const Value x1 = load_x(first), x2 = load_x(second), y1 = load_y(first), y2 = load_y(second);
      Value numerator = C::sub(y2, y1);
      if (group.doubled != 0) {
        const Value square = C::square(x1);
        numerator = C::select(group.doubled, C::reduced(C::add(C::add(square, square), square)), numerator);
      }
      const Value lambda = C::mul(numerator, own);
      Value x3 = C::sub_reduced(C::square(lambda), x1, x2);
      Value y3 = C::sub_reduced(C::mul(C::sub(x1, x3), C::factor(lambda)), y1);
      if ((group.vanishing | group.first_infinite | group.second_infinite) != 0) {
        x3 = C::select(group.vanishing, C::zero(),
                       C::select(group.second_infinite, x1, C::select(group.first_infinite, x2, x3)));
        y3 = C::select(group.vanishing, C::zero(),
                       C::select(group.second_infinite, y1, C::select(group.first_infinite, y2, y3)));
      }
      store(x3, y3, out, g);
    }
  }
  [[gnu::always_inline]] void store(const Value& x, const Value& y, std::uint64_t* out, std::size_t group) const {
    alignas(64) std::uint64_t spare[8 * point_words];  // where the lanes beyond the last pair go
    std::uint64_t *at_x[8], *at_y[8];
    for (std::size_t lane = 0; lane < 8; ++lane) {
      const std::size_t pair = 8 * group + lane;
      at_x[lane] = pair < pairs_ ? out + pair * point_words : spare + lane * point_words;
      at_y[lane] = at_x[lane] + C::coordinate_words;
    }
    C::scatter(x, at_x);
    C::scatter(y, at_y);
  }

  const std::uint64_t* points_;
  const PointRef* refs_;
  std::size_t pairs_, group_count_;
  Group* groups_;
};

}  // namespace
}  // namespace pinion::bls::simd
