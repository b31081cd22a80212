// UInt32: 32 Booleans as SHA-256 needs them. Where rows are not kept a word is three integers (values, which bits are
// constants, which are negations) and a gadget is a handful of integer operations that append up to 64 bits of witness
// at once: this is what makes synthesis fast. Where rows are kept each bit is walked; both ways allocate the same
// variables in the same order. Source: bellpepper gadgets/uint32.rs.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "boolean.hpp"
#include "multi_eq.hpp"
#include "num.hpp"

namespace pinion::circuit {

template <ConstraintSystem CS>
class UInt32 {
 public:
  UInt32() = default;  // the constant 0
  static UInt32 constant(std::uint32_t value) {
    UInt32 word;
    word.values_ = value;
    return word;
  }
  // 32 Booleans, lowest first.
  template <class BitAt>
  static UInt32 from_bits(BitAt&& bit_at) {
    UInt32 word;
    for (unsigned i = 0; i < 32; ++i) word.set(i, bit_at(i));
    return word;
  }
  static UInt32 alloc(CS& cs, std::uint32_t value) {
    return from_bits([&](unsigned i) { return alloc_boolean(cs, (value >> i & 1) != 0); });
  }
  // Of 32 Booleans, highest first.
  static UInt32 from_bits_be(std::span<const Boolean> bits) {
    return from_bits([&](unsigned i) { return bits[31 - i]; });
  }

  bool is_constant() const { return variable_ == 0; }
  std::uint32_t value() const { return values_; }  // of constants only, unless values are kept
  Boolean bit(unsigned i) const {
    const bool value = (values_ >> i & 1) != 0;
    if ((variable_ >> i & 1) == 0) return Boolean::constant(value);
    const auto form = (negated_ >> i & 1) != 0 ? Boolean::Form::negated : Boolean::Form::is;
    if constexpr (CS::keeps_rows)
      return {variables_[i], form, value};
    else
      return {{}, form, value};
  }

  UInt32 rotr(unsigned by) const {
    UInt32 out;
    const int n = static_cast<int>(by);
    out.values_ = std::rotr(values_, n);
    out.variable_ = std::rotr(variable_, n);
    out.negated_ = std::rotr(negated_, n);
    if constexpr (CS::keeps_rows)
      for (unsigned i = 0; i < 32; ++i) out.variables_[i] = variables_[(i + by) % 32];
    return out;
  }
  // Constant zeros come in from the top.
  UInt32 shr(unsigned by) const {
    UInt32 out = rotr(by);
    const std::uint32_t kept = 0xffffffffU >> by;
    out.values_ &= kept;
    out.variable_ &= kept;
    out.negated_ &= kept;
    return out;
  }

  friend UInt32 logical_xor(CS& cs, const UInt32& a, const UInt32& b) {
    if constexpr (CS::keeps_rows) {
      return from_bits([&](unsigned i) { return circuit::logical_xor(cs, a.bit(i), b.bit(i)); });
    } else {
      UInt32 out;
      out.values_ = a.values_ ^ b.values_;
      out.variable_ = a.variable_ | b.variable_;
      // Of two variables the one allocated is the exclusive or of variables; a constant one negates the other operand.
      out.negated_ =
          (a.negated_ ^ b.negated_ ^ (a.values_ & ~a.variable_) ^ (b.values_ & ~b.variable_)) & out.variable_;
      cs.append_selected(out.values_ ^ out.negated_, a.variable_ & b.variable_);
      return out;
    }
  }

  friend UInt32 sha256_choice(CS& cs, const UInt32& a, const UInt32& b, const UInt32& c) {
    if constexpr (!CS::keeps_rows) {
      if ((a.variable_ & b.variable_ & c.variable_) == all) {
        const UInt32 out = variables((a.values_ & b.values_) ^ (~a.values_ & c.values_));
        cs.append_bits(out.values_, 32);
        return out;
      }
    }
    return from_bits([&](unsigned i) { return circuit::sha256_choice(cs, a.bit(i), b.bit(i), c.bit(i)); });
  }

  friend UInt32 sha256_majority(CS& cs, const UInt32& a, const UInt32& b, const UInt32& c) {
    if constexpr (!CS::keeps_rows) {
      if ((a.variable_ & b.variable_ & c.variable_) == all) {
        const std::uint32_t bc = b.values_ & c.values_;
        const UInt32 out = variables((a.values_ & (b.values_ | c.values_)) | bc);
        cs.append_bits(spread(out.values_) | spread(bc) << 1, 64);
        return out;
      }
    }
    return from_bits([&](unsigned i) { return circuit::sha256_majority(cs, a.bit(i), b.bit(i), c.bit(i)); });
  }

  // The low 32 bits of the sum of at most 10 words. All bits of the sum are new, lowest first, and their equality with
  // the operands goes to `equalities`; constants only: a constant.
  static UInt32 add_many(CS& cs, MultiEq<CS>& equalities, std::span<const UInt32> operands) {
    std::uint64_t sum = 0;
    bool constant_only = true;
    for (const UInt32& operand : operands) {
      sum += operand.values_;
      constant_only = constant_only && operand.is_constant();
    }
    if (constant_only) return constant(static_cast<std::uint32_t>(sum));
    const unsigned bits = static_cast<unsigned>(std::bit_width(operands.size() * std::uint64_t{all}));
    UInt32 out = variables(static_cast<std::uint32_t>(sum));
    if constexpr (CS::keeps_rows)
      out.variables_ = constrain_sum(cs, equalities, operands, sum, bits);
    else
      cs.append_bits(sum, bits);
    return out;
  }

 private:
  static constexpr std::uint32_t all = 0xffffffff;
  struct Nothing {};
  using Variables = std::conditional_t<CS::keeps_rows, std::array<Variable, 32>, Nothing>;

  static UInt32 variables(std::uint32_t values) {
    UInt32 word;
    word.values_ = values;
    word.variable_ = all;
    return word;
  }

  void set(unsigned i, const Boolean& bit) {
    values_ |= std::uint32_t{bit.value} << i;
    variable_ |= std::uint32_t{!bit.is_constant()} << i;
    negated_ |= std::uint32_t{bit.form == Boolean::Form::negated} << i;
    if constexpr (CS::keeps_rows) variables_[i] = bit.variable;
  }

  static std::array<Variable, 32> constrain_sum(CS& cs, MultiEq<CS>& equalities, std::span<const UInt32> operands,
                                                std::uint64_t sum, unsigned bits) {
    std::array<Variable, 64> result;
    for (unsigned i = 0; i < bits; ++i) result[i] = alloc_boolean(cs, (sum >> i & 1) != 0).variable;
    equalities.begin(bits);  // a full row goes out only now, behind the rows of the new bits
    const Fr* const power = powers_of_two.data() + equalities.shift();
    for (const UInt32& operand : operands)
      for (unsigned i = 0; i < 32; ++i) add_boolean(equalities.left(), operand.bit(i), power[i]);
    for (unsigned i = 0; i < bits; ++i) equalities.right().add(result[i], power[i]);
    std::array<Variable, 32> low;
    std::copy_n(result.begin(), 32, low.begin());
    return low;
  }

  // Bit i to bit 2i.
  static std::uint64_t spread(std::uint32_t bits) {
    std::uint64_t x = bits;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
  }

  std::uint32_t values_ = 0;    // of the Booleans
  std::uint32_t variable_ = 0;  // which are not constants
  std::uint32_t negated_ = 0;   // of those, which are negations
  [[no_unique_address]] Variables variables_{};
};

}  // namespace pinion::circuit
