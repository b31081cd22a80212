// Num: a variable with a field element, and the arithmetic gadgets on it.
// Sources: bellpepper-core 0.2 gadgets/num.rs, storage-proofs-core gadgets/constraint.rs, uint64.rs and insertion.rs.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "boolean.hpp"

namespace pinion::circuit {

// Values were given that no witness of the circuit has: bad input, found before anything is proved with it.
class Unsatisfied : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

struct Num {
  Fr value;  // zero unless values are kept
  Variable variable;
};

using Bits = std::vector<Boolean>;

template <ConstraintSystem CS>
Num alloc_num(CS& cs, const Fr& value) {
  return {value, cs.alloc_scalar(value)};
}

namespace detail {
template <ConstraintSystem CS>
void enforce_product(CS& cs, Variable a, Variable b, Variable c) {
  cs.enforce([&](auto& lc) { lc.add(a); }, [&](auto& lc) { lc.add(b); }, [&](auto& lc) { lc.add(c); });
}
}  // namespace detail

// A public input equal to `num`: x * 1 = num.
template <ConstraintSystem CS>
void inputize(CS& cs, const Num& num) {
  detail::enforce_product(cs, cs.alloc_input(num.value), one_variable, num.variable);
}

// a * b = product (new)
template <ConstraintSystem CS>
Num mul(CS& cs, const Num& a, const Num& b) {
  const Num product = alloc_num(cs, CS::keeps_values ? a.value * b.value : Fr{});
  detail::enforce_product(cs, a.variable, b.variable, product.variable);
  return product;
}
template <ConstraintSystem CS>
Num square(CS& cs, const Num& a) {
  return mul(cs, a, a);
}

// a * 1 = b. Throws Unsatisfied where values are kept and differ: circuits state by this row that an opening leads to
// its root and a commitment to its parts, so that it is here that an altered input shows, and not in a proof that
// fails.
template <ConstraintSystem CS>
void enforce_equal(CS& cs, const Num& a, const Num& b) {
  if constexpr (CS::keeps_values) {
    if (a.value != b.value)
      throw Unsatisfied("what is computed from the values given is not the root or commitment that stands beside them");
  }
  detail::enforce_product(cs, a.variable, one_variable, b.variable);
}

// (a + b) * 1 = sum (new)
template <ConstraintSystem CS>
Num add(CS& cs, const Num& a, const Num& b) {
  const Num sum = alloc_num(cs, a.value + b.value);
  cs.enforce([&](auto& lc) { lc.add(a.variable).add(b.variable); }, [](auto& lc) { lc.add_constant(fr_one); },
             [&](auto& lc) { lc.add(sum.variable); });
  return sum;
}

// condition ? a : b, new: (b - a) * condition = b - result
template <ConstraintSystem CS>
Num pick(CS& cs, const Boolean& condition, const Num& a, const Num& b) {
  const Num result = alloc_num(cs, condition.value ? a.value : b.value);
  cs.enforce([&](auto& lc) { lc.add(b.variable).sub(a.variable); }, [&](auto& lc) { add_boolean(lc, condition); },
             [&](auto& lc) { lc.add(b.variable).sub(result.variable); });
  return result;
}

// 255 new bits with the canonical value of `value`, lowest first.
template <ConstraintSystem CS>
Bits alloc_bits_of(CS& cs, const Fr& value) {
  Bits bits;
  bits.reserve(256);  // callers pad to bytes
  bls::Limbs canonical{};
  if constexpr (CS::keeps_values) canonical = value.to_canonical();
  for (std::size_t i = 0; i < Fr::bits; ++i)
    bits.push_back(alloc_boolean(cs, (canonical[i / 64] >> (i % 64) & 1) != 0));
  return bits;
}

// The 255 bits of num's canonical value, lowest first. They need not be below the modulus: of the two representations
// that values below 2^255 - r have, a prover may take either, as in the reference.
template <ConstraintSystem CS>
Bits to_bits_le(CS& cs, const Num& num) {
  Bits bits = alloc_bits_of(cs, num.value);
  cs.enforce([](auto&) {}, [](auto&) {},
             [&](auto& lc) {
               for (std::size_t i = 0; i < bits.size(); ++i) lc.add(bits[i].variable, powers_of_two[i]);
               lc.sub(num.variable);
             });
  return bits;
}

// 64 new bits of an integer, lowest first.
template <ConstraintSystem CS>
Bits alloc_u64(CS& cs, std::uint64_t value) {
  Bits bits;
  bits.reserve(64);
  for (unsigned i = 0; i < 64; ++i) bits.push_back(alloc_boolean(cs, (value >> i & 1) != 0));
  return bits;
}

}  // namespace pinion::circuit
