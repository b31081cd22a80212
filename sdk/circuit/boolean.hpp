// Boolean: a constant, a bit variable, or the negation of one, and the logic of bits as constraints. Which of the three
// it is belongs to the structure: constants fold, so they decide which variables and rows exist. Source:
// bellpepper-core 0.2 gadgets/boolean.rs (order of allocations and rows, operand places).
#pragma once

#include <cstdint>

#include "constraint_system.hpp"
#include "linear_combination.hpp"

namespace pinion::circuit {

struct Boolean {
  enum class Form : std::uint8_t { constant, is, negated };
  Variable variable;  // unless constant
  Form form = Form::constant;
  bool value = false;  // of the Boolean, not of the variable; if no values are kept, of constants only

  static constexpr Boolean constant(bool value) { return {{}, Form::constant, value}; }
  static constexpr Boolean is(Variable variable, bool value) { return {variable, Form::is, value}; }

  constexpr bool is_constant() const { return form == Form::constant; }
  constexpr bool is_constant(bool of) const { return is_constant() && value == of; }
  constexpr Boolean operator!() const {
    switch (form) {
      case Form::constant:
        return constant(!value);
      case Form::is:
        return {variable, Form::negated, !value};
      default:
        return {variable, Form::is, !value};
    }
  }
};

// lc + coefficient * boolean
inline void add_boolean(LinearCombination& lc, const Boolean& boolean, const Fr& coefficient = fr_one) {
  switch (boolean.form) {
    case Boolean::Form::constant:
      if (boolean.value) lc.add_constant(coefficient);
      return;
    case Boolean::Form::is:
      lc.add(boolean.variable, coefficient);
      return;
    case Boolean::Form::negated:
      lc.add_constant(coefficient).add(boolean.variable, -coefficient);
      return;
  }
}

// A new bit: (1 - v) * v = 0.
template <ConstraintSystem CS>
Boolean alloc_boolean(CS& cs, bool value) {
  const Variable v = cs.alloc_bit(value);
  cs.enforce([&](auto& lc) { lc.add_constant(fr_one).sub(v); }, [&](auto& lc) { lc.add(v); }, [](auto&) {});
  return Boolean::is(v, value);
}

namespace detail {
// (a + a) * b = a + b - c over the variables of two Booleans.
template <ConstraintSystem CS>
Boolean xor_variables(CS& cs, const Boolean& a, const Boolean& b) {
  const bool value = (a.value != b.value) != (a.form != b.form);
  const Variable c = cs.alloc_bit(value);
  cs.enforce([&](auto& lc) { lc.add(a.variable, fr_two); }, [&](auto& lc) { lc.add(b.variable); },
             [&](auto& lc) { lc.add(a.variable).add(b.variable).sub(c); });
  return Boolean::is(c, value);
}
}  // namespace detail

template <ConstraintSystem CS>
Boolean logical_xor(CS& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant()) return a.value ? !b : b;
  if (b.is_constant()) return b.value ? !a : a;
  if (a.form == b.form) return detail::xor_variables(cs, a, b);
  return a.form == Boolean::Form::is ? !detail::xor_variables(cs, a, b) : !detail::xor_variables(cs, b, a);
}

// The variable allocated is a AND b whatever their forms: and, and_not or nor of the operands' variables.
template <ConstraintSystem CS>
Boolean logical_and(CS& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant()) return a.value ? b : a;
  if (b.is_constant()) return b.value ? a : b;
  // One Is and one Not: the Is stands in A.
  const bool swap = a.form == Boolean::Form::negated && b.form == Boolean::Form::is;
  const Boolean& left = swap ? b : a;
  const Boolean& right = swap ? a : b;
  const bool value = a.value && b.value;
  const Variable c = cs.alloc_bit(value);
  cs.enforce([&](auto& lc) { add_boolean(lc, left); }, [&](auto& lc) { add_boolean(lc, right); },
             [&](auto& lc) { lc.add(c); });
  return Boolean::is(c, value);
}

// (a AND b) XOR (NOT a AND c), SHA-256's choice. The order of the cases is the reference's; a constant true `a` falls
// through to the general case.
template <ConstraintSystem CS>
Boolean sha256_choice(CS& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  if (a.is_constant() && b.is_constant() && c.is_constant()) return a.value ? b : c;
  if (a.is_constant(false)) return c;
  if (b.is_constant(false)) return logical_and(cs, !a, c);
  if (c.is_constant(false)) return logical_and(cs, a, b);
  if (c.is_constant(true)) return !logical_and(cs, a, !b);
  if (b.is_constant(true)) return !logical_and(cs, !a, !c);
  const bool value = a.value ? b.value : c.value;
  const Variable choice = cs.alloc_bit(value);
  cs.enforce(
      [&](auto& lc) {
        add_boolean(lc, b);
        add_boolean(lc, c, fr_minus_one);
      },
      [&](auto& lc) { add_boolean(lc, a); },
      [&](auto& lc) {
        lc.add(choice);
        add_boolean(lc, c, fr_minus_one);
      });
  return Boolean::is(choice, value);
}

// (a AND b) XOR (a AND c) XOR (b AND c), SHA-256's majority. The result is allocated before b AND c.
template <ConstraintSystem CS>
Boolean sha256_majority(CS& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  const bool value = (a.value && b.value) || (a.value && c.value) || (b.value && c.value);
  if (a.is_constant() && b.is_constant() && c.is_constant()) return Boolean::constant(value);
  if (a.is_constant(false)) return logical_and(cs, b, c);
  if (b.is_constant(false)) return logical_and(cs, a, c);
  if (c.is_constant(false)) return logical_and(cs, a, b);
  if (c.is_constant(true)) return !logical_and(cs, !a, !b);
  if (b.is_constant(true)) return !logical_and(cs, !a, !c);
  if (a.is_constant(true)) return !logical_and(cs, !b, !c);
  const Variable majority = cs.alloc_bit(value);
  const Boolean bc = logical_and(cs, b, c);
  cs.enforce(
      [&](auto& lc) {
        add_boolean(lc, bc, fr_two);
        add_boolean(lc, b, fr_minus_one);
        add_boolean(lc, c, fr_minus_one);
      },
      [&](auto& lc) { add_boolean(lc, a); },
      [&](auto& lc) {
        add_boolean(lc, bc);
        lc.sub(majority);
      });
  return Boolean::is(majority, value);
}

}  // namespace pinion::circuit
