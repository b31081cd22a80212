// What a circuit is written against. A circuit is one function template over a ConstraintSystem; two models exist:
// ShapeRecorder keeps rows and ignores values, WitnessWriter keeps values and ignores rows. Each allocates the same
// variables in the same order, so structure (which variables, which rows) must never depend on values.
// Not here: gadgets (boolean.hpp, num.hpp, sha256.hpp, poseidon.hpp, merkle.hpp ...).
#pragma once

#include <concepts>
#include <cstdint>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/groth16/shape.hpp>
#include <string_view>

namespace pinion::circuit {

using bls::Fr;

// A variable by its code (groth16/shape.hpp). Where only values are kept it means nothing.
struct Variable {
  std::uint32_t code = 0;
  friend constexpr bool operator==(Variable, Variable) = default;
};
inline constexpr Variable one_variable{groth16::input_flag};

// keeps_rows, keeps_values: what the model looks at. Gadgets drop the other half by `if constexpr`.
// alloc_bit, alloc_scalar, alloc_input: the next variable; the value is ignored unless kept. alloc_bit states no
//   constraint; a variable that is always 0 or 1 is a bit whether rows say so directly or by implication.
// enforce(a, b, c): the next row <a, w> * <b, w> = <c, w>. Each argument is called with an empty LinearCombination to
//   fill, or, where rows are not kept, not at all.
// enter, leave: a named part of the circuit begins and ends; for diagnosis only.
template <class CS>
concept ConstraintSystem = requires(CS& cs, const Fr& value, bool bit, std::string_view name, std::int64_t index) {
  { CS::keeps_rows } -> std::convertible_to<bool>;
  { CS::keeps_values } -> std::convertible_to<bool>;
  { cs.alloc_bit(bit) } -> std::same_as<Variable>;
  { cs.alloc_scalar(value) } -> std::same_as<Variable>;
  { cs.alloc_input(value) } -> std::same_as<Variable>;
  cs.enforce([](auto&) {}, [](auto&) {}, [](auto&) {});
  cs.enter(name, index);
  cs.leave();
};

// A named part of a circuit: Scope scope(cs, "drg_parent", 3).
template <ConstraintSystem CS>
class Scope {
 public:
  explicit Scope(CS& cs, std::string_view name, std::int64_t index = -1) : cs_(cs) { cs.enter(name, index); }
  ~Scope() { cs_.leave(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  CS& cs_;
};

}  // namespace pinion::circuit
