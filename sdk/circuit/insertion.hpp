// select: the element at a position given in bits; insert: a list with an element put at such a position. Both are made
// of pick() and differ from the textbook forms only in how they share picks, which the parameter files depend on.
// Source: storage-proofs-core gadgets/insertion.rs.
#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "num.hpp"

namespace pinion::circuit {

// from[position], position in bits, lowest first; from.size() == 2^bits.size().
template <ConstraintSystem CS>
Num select(CS& cs, std::span<const Num> from, std::span<const Boolean> bits) {
  std::vector<Num> state(from.begin(), from.end());
  for (std::size_t level = bits.size(); level-- > 0;) {
    const std::size_t half = state.size() / 2;
    for (std::size_t j = 0; j < half; ++j) state[j] = pick(cs, bits[level], state[half + j], state[j]);
    state.resize(half);
  }
  return state[0];
}

namespace detail {

template <ConstraintSystem CS>
std::vector<Num> insert_2(CS& cs, const Num& a, std::span<const Boolean> bits, std::span<const Num> siblings) {
  const Num& b = siblings[0];
  return {pick(cs, bits[0], b, a), pick(cs, bits[0], a, b)};
}

template <ConstraintSystem CS>
std::vector<Num> insert_4(CS& cs, const Num& a, std::span<const Boolean> bits, std::span<const Num> siblings) {
  const Num &b = siblings[0], &c = siblings[1], &d = siblings[2];
  const Boolean &b0 = bits[0], &b1 = bits[1];
  Num t = pick(cs, b0, b, a);
  const Num p0 = pick(cs, b1, b, t);
  t = pick(cs, b0, a, b);
  const Num p1 = pick(cs, b1, c, t);
  t = pick(cs, b0, d, a);
  const Num p2 = pick(cs, b1, t, c);
  t = pick(cs, b0, a, d);
  const Num p3 = pick(cs, b1, t, d);
  return {p0, p1, p2, p3};
}

template <ConstraintSystem CS>
std::vector<Num> insert_8(CS& cs, const Num& a, std::span<const Boolean> bits, std::span<const Num> siblings) {
  const Num &b = siblings[0], &c = siblings[1], &d = siblings[2], &e = siblings[3], &f = siblings[4], &g = siblings[5],
            &h = siblings[6];
  const Boolean &b0 = bits[0], &b1 = bits[1], &b2 = bits[2];
  const Boolean neither = logical_and(cs, !b0, !b1);
  const Boolean both = logical_and(cs, b0, b1);
  const auto end = [&](const Boolean& outer, const Num& x, const Num& y, bool upper, const Num& other) {
    const Num t = pick(cs, outer, x, y);
    return upper ? pick(cs, b2, t, other) : pick(cs, b2, other, t);
  };
  const Num p0 = end(neither, a, b, false, b);
  Num t = pick(cs, b0, a, b);
  const Num p1 = end(b1, c, t, false, c);
  t = pick(cs, b0, d, a);
  const Num p2 = end(b1, t, c, false, d);
  const Num p3 = end(both, a, d, false, e);
  const Num p4 = end(neither, a, f, true, e);
  t = pick(cs, b0, a, f);
  const Num p5 = end(b1, g, t, true, f);
  t = pick(cs, b0, h, a);
  const Num p6 = end(b1, t, g, true, g);
  const Num p7 = end(both, a, h, true, h);
  return {p0, p1, p2, p3, p4, p5, p6, p7};
}

// Any power of two: each place selects among what each insertion point would put there.
template <ConstraintSystem CS>
std::vector<Num> insert_any(CS& cs, const Num& a, std::span<const Boolean> bits, std::span<const Num> siblings) {
  const std::size_t size = siblings.size() + 1;
  std::vector<Num> out;
  std::vector<Num> choices(size);
  for (std::size_t place = 0; place < size; ++place) {
    for (std::size_t point = 0; point < size; ++point)
      choices[point] = point == place ? a : siblings[point > place ? place : place - 1];
    out.push_back(select(cs, choices, bits));
  }
  return out;
}

}  // namespace detail

// siblings with `element` put in at the position in `bits` (lowest first); siblings.size() + 1 == 2^bits.size().
template <ConstraintSystem CS>
std::vector<Num> insert(CS& cs, const Num& element, std::span<const Boolean> bits, std::span<const Num> siblings) {
  if (bits.size() >= 16 || siblings.size() + 1 != std::size_t{1} << bits.size())
    throw std::invalid_argument("circuit: insert needs 2^bits - 1 siblings");
  switch (siblings.size() + 1) {
    case 2:
      return detail::insert_2(cs, element, bits, siblings);
    case 4:
      return detail::insert_4(cs, element, bits, siblings);
    case 8:
      return detail::insert_8(cs, element, bits, siblings);
    default:
      return detail::insert_any(cs, element, bits, siblings);
  }
}

}  // namespace pinion::circuit
