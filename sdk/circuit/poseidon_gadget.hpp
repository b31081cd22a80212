// Poseidon as constraints. Elements of the state are linear combinations that become variables only where an S-box or
// the result needs one; the linear layers cost no row. Where rows are not kept this is the native hash that writes down
// what it passes. Source: neptune 11 circuit.rs (poseidon_hash, the legacy circuit).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "num.hpp"
#include "poseidon.hpp"

namespace pinion::circuit {

namespace detail {

template <ConstraintSystem CS>
class PoseidonRows {
 public:
  // `values`: what Poseidon::trace emits, or nothing where values are not kept.
  PoseidonRows(CS& cs, const Poseidon& instance, std::span<const Fr> values)
      : cs_(cs), instance_(instance), values_(values), state_(instance.width()) {}

  Num run(std::span<const Num> inputs) {
    const std::size_t width = instance_.width();
    const Fr* key = instance_.compressed_constants().data();
    const Fr tag = instance_.tag() + key[0];
    state_[0].add_constant(tag.squared().squared() * tag + key[width]);
    for (std::size_t i = 1; i < width; ++i) {
      LinearCombination sum;
      sum.add(inputs[i - 1].variable).add_constant(key[i]);
      fifth_power(i, sum, key[width + i]);
    }
    key += 2 * width;
    mix(instance_.mds());
    const unsigned half = Poseidon::full_rounds / 2;
    for (unsigned round = 1; round < half; ++round, key += width)
      full_round(round + 1 < half ? instance_.mds() : instance_.pre_sparse(), key);
    for (const auto& sparse : instance_.sparse()) {
      fifth_power_of_variable(0, *key++);
      mix(sparse);
    }
    for (unsigned round = half; round + 1 < 2 * half; ++round, key += width) full_round(instance_.mds(), key);
    const std::vector<Fr> no_keys(width);
    full_round(instance_.mds(), no_keys.data());
    return allocated(state_[1]);
  }

 private:
  Fr next_value() {
    if constexpr (CS::keeps_values) return values_[next_++];
    return {};
  }
  Num next_num() { return alloc_num(cs_, next_value()); }

  // combination * 1 = new
  Num allocated(const LinearCombination& combination) {
    const Num num = next_num();
    cs_.enforce([&](auto& lc) { lc.add(combination); }, [](auto& lc) { lc.add_constant(fr_one); },
                [&](auto& lc) { lc.add(num.variable); });
    return num;
  }

  // state[i] = x^5 + key
  void fifth_power(std::size_t i, const LinearCombination& x, const Fr& key) {
    const Num x2 = next_num();
    cs_.enforce([&](auto& lc) { lc.add(x); }, [&](auto& lc) { lc.add(x); }, [&](auto& lc) { lc.add(x2.variable); });
    const Num x4 = next_num();
    enforce_product(cs_, x2.variable, x2.variable, x4.variable);
    const Num out = next_num();
    cs_.enforce([&](auto& lc) { lc.add(x); }, [&](auto& lc) { lc.add(x4.variable); },
                [&](auto& lc) { lc.add(out.variable).add_constant(-key); });
    state_[i].clear();
    state_[i].add(out.variable);
  }
  void fifth_power_of_variable(std::size_t i, const Fr& key) {
    LinearCombination x;
    x.add(allocated(state_[i]).variable);
    fifth_power(i, x, key);
  }

  void full_round(const Poseidon::Matrix& matrix, const Fr* keys) {
    for (std::size_t i = 0; i < state_.size(); ++i) fifth_power_of_variable(i, keys[i]);
    mix(matrix);
  }

  void mix(const Poseidon::Matrix& matrix) {
    const std::size_t width = state_.size();
    std::vector<LinearCombination> mixed(width);
    for (std::size_t j = 0; j < width; ++j)
      for (std::size_t i = 0; i < width; ++i) mixed[j].add(state_[i], matrix[i * width + j]);
    state_ = std::move(mixed);
  }
  void mix(const Poseidon::Sparse& sparse) {
    LinearCombination first;
    for (std::size_t k = 0; k < state_.size(); ++k) first.add(state_[k], sparse.column[k]);
    for (std::size_t j = 1; j < state_.size(); ++j) state_[j].add(state_[0], sparse.row[j - 1]);
    state_[0] = std::move(first);
  }

  CS& cs_;
  const Poseidon& instance_;
  std::span<const Fr> values_;
  std::size_t next_ = 0;
  std::vector<LinearCombination> state_;
};

}  // namespace detail

// inputs.size() == instance.arity()
template <ConstraintSystem CS>
Num poseidon_hash(CS& cs, const Poseidon& instance, std::span<const Num> inputs) {
  std::vector<Fr> values;
  if constexpr (CS::keeps_values) {
    std::vector<Fr> preimage;
    for (const Num& input : inputs) preimage.push_back(input.value);
    if constexpr (!CS::keeps_rows) {
      return {instance.trace(preimage, [&](const Fr& value) { cs.alloc_scalar(value); }), {}};
    } else {
      instance.trace(preimage, [&](const Fr& value) { values.push_back(value); });
    }
  }
  return detail::PoseidonRows<CS>(cs, instance, values).run(inputs);
}

}  // namespace pinion::circuit
