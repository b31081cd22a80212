// Poseidon over Fr as Filecoin uses it: constants, and the hash of native values. The constraints are in
// poseidon_gadget.hpp. Making the constants takes milliseconds (arity 36: a tenth of a second), so make one Poseidon
// per arity and hand it around. Sources: Grassi et al., "Poseidon" (2021), with the Grain LFSR of its reference;
// neptune 11 round_constants.rs, mds.rs, preprocessing.rs (strength Standard).
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <pinion/bls12_381/fr.hpp>
#include <span>
#include <vector>

namespace pinion::circuit {

using bls::Fr;

class Poseidon {
 public:
  // What is hashed decides the tag that starts the state: 2^arity - 1 for nodes of trees, 2^40 for SnapDeals'
  // generator.
  enum class Domain : std::uint8_t { merkle_tree, generator };

  static constexpr unsigned full_rounds = 8;

  // A partial round's matrix: out[0] = sum of column[k] * s[k]; out[j] = s[j] + row[j - 1] * s[0].
  struct Sparse {
    std::vector<Fr> column;  // width
    std::vector<Fr> row;     // width - 1
  };
  using Matrix = std::vector<Fr>;  // width * width, row after row; state * matrix

  // arity: 2, 4, 8, 11, 16, 24 or 36; else std::invalid_argument.
  explicit Poseidon(unsigned arity, Domain domain = Domain::merkle_tree);

  unsigned arity() const { return arity_; }
  unsigned width() const { return arity_ + 1; }
  unsigned partial_rounds() const { return partial_rounds_; }
  const Fr& tag() const { return tag_; }
  // In order of use: 2 * width in the first round, width in the six full rounds up to the last, 1 in each partial
  // round.
  std::span<const Fr> compressed_constants() const { return compressed_; }
  const Matrix& mds() const { return mds_; }
  // Replaces mds in the last full round before the partial ones.
  const Matrix& pre_sparse() const { return pre_sparse_; }
  // Of each partial round, in order.
  std::span<const Sparse> sparse() const { return sparse_; }

  // inputs.size() == arity. [any]
  Fr hash(std::span<const Fr> inputs) const {
    return trace(inputs, [](const Fr&) {});
  }

  // The hash, calling emit(value) for each value that the circuit allocates, in its order. [any]
  template <class Emit>
  Fr trace(std::span<const Fr> inputs, Emit&& emit) const;

  // The uncompressed constants: width for each round. Source: the Grain LFSR.
  static std::vector<Fr> round_constants(unsigned width, unsigned partial_rounds);

 private:
  static constexpr unsigned max_width = 37;
  static void mix(std::span<Fr> state, const Matrix& matrix);
  static void mix(std::span<Fr> state, const Sparse& sparse);

  unsigned arity_;
  unsigned partial_rounds_;
  Fr tag_;
  std::vector<Fr> compressed_;
  Matrix mds_, pre_sparse_;
  std::vector<Sparse> sparse_;
};

namespace detail {
// x^5 + key; squares and result are emitted.
template <class Emit>
Fr fifth_power(const Fr& x, const Fr& key, Emit&& emit) {
  const Fr x2 = x.squared();
  const Fr x4 = x2.squared();
  const Fr out = x * x4 + key;
  emit(x2);
  emit(x4);
  emit(out);
  return out;
}
}  // namespace detail

template <class Emit>
Fr Poseidon::trace(std::span<const Fr> inputs, Emit&& emit) const {
  std::array<Fr, max_width> memory;
  const std::span<Fr> state(memory.data(), width());
  const Fr* key = compressed_.data();
  // The tag is a constant, so the circuit computes its first S-box by itself; the inputs are variables already.
  state[0] = detail::fifth_power(tag_ + key[0], key[width()], [](const Fr&) {});
  for (unsigned i = 1; i < width(); ++i) state[i] = detail::fifth_power(inputs[i - 1] + key[i], key[width() + i], emit);
  key += std::size_t{2} * width();
  mix(state, mds_);
  const auto full_round = [&](const Matrix& matrix, bool last) {
    for (Fr& element : state) {
      emit(element);
      element = detail::fifth_power(element, last ? Fr::zero() : *key++, emit);
    }
    mix(state, matrix);
  };
  for (unsigned round = 1; round < full_rounds / 2; ++round)
    full_round(round + 1 < full_rounds / 2 ? mds_ : pre_sparse_, false);
  for (const Sparse& sparse : sparse_) {
    emit(state[0]);
    state[0] = detail::fifth_power(state[0], *key++, emit);
    mix(state, sparse);
  }
  for (unsigned round = full_rounds / 2; round < full_rounds; ++round) full_round(mds_, round + 1 == full_rounds);
  emit(state[1]);
  return state[1];
}

// A hash of at least two values, as many as there are: each further arity - 1 of them are folded into the first, a
// short last chunk filled with zeros. Filecoin's has arity 36. Source: filecoin-hashers src/poseidon.rs (hash_md).
// [any]
Fr hash_md(const Poseidon& instance, std::span<const Fr> values);

// The instances that a proof hashes its trees and columns with, by arity.
class PoseidonSet {
 public:
  PoseidonSet(std::initializer_list<unsigned> arities) {
    for (const unsigned arity : arities) instances_.emplace_back(arity);
  }
  // std::out_of_range for an arity that is not in the set.
  const Poseidon& operator[](std::size_t arity) const;

 private:
  std::vector<Poseidon> instances_;
};

}  // namespace pinion::circuit
