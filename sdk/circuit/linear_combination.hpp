// LinearCombination: a sum of variables times coefficients while a row is being written. Terms may come in any order
// and repeat; normalized() sorts and merges them as the row will hold them (inputs, then aux, ascending, no zeros).
// Source: bellpepper-core LinearCombination.
#pragma once

#include <array>
#include <cstdint>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/groth16/shape_builder.hpp>
#include <span>
#include <vector>

#include "constraint_system.hpp"

namespace pinion::circuit {

inline constexpr Fr fr_one = Fr::one();
inline constexpr Fr fr_minus_one = -Fr::one();
inline constexpr Fr fr_two = Fr::from_u64(2);

// 2^i for i < 255.
inline constexpr auto powers_of_two = [] {
  std::array<Fr, 255> powers{Fr::one()};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1].doubled();
  return powers;
}();

class LinearCombination {
 public:
  LinearCombination& add(Variable variable, const Fr& coefficient = fr_one) {
    if (variable == one_variable)
      constant_ += coefficient;
    else
      terms_.push_back({variable.code, coefficient});
    return *this;
  }
  LinearCombination& sub(Variable variable) { return add(variable, fr_minus_one); }
  LinearCombination& add_constant(const Fr& value) {
    constant_ += value;
    return *this;
  }
  // + other, + coefficient * other
  LinearCombination& add(const LinearCombination& other);
  LinearCombination& add(const LinearCombination& other, const Fr& coefficient);

  void clear() {
    terms_.clear();
    constant_ = {};
  }
  bool empty() const { return terms_.empty() && constant_.is_zero(); }

  // Sorts and merges in place. The span lives until the next change.
  std::span<const groth16::Term> normalized();

 private:
  void sort_and_merge();

  std::vector<groth16::Term> terms_;  // of other variables than ONE
  Fr constant_;                       // coefficient of ONE, which repeats most
  std::vector<std::uint64_t> order_;  // scratch
  std::vector<groth16::Term> row_;    // what normalized() returned
};

}  // namespace pinion::circuit
