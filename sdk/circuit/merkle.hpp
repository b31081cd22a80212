// Inclusion of a leaf in a Merkle tree whose levels may differ in arity, hashed by Poseidon or SHA-256.
// Sources: storage-proofs-core gadgets/por.rs (PoRCircuit) and storage-proofs-update gadgets (por_no_challenge_input).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "insertion.hpp"
#include "multipack.hpp"
#include "poseidon_gadget.hpp"
#include "sha256.hpp"

namespace pinion::circuit {

// A tree's hash: the node over its children (as many as the level's arity).
struct PoseidonTree {
  const PoseidonSet& instances;
  template <ConstraintSystem CS>
  Num node(CS& cs, std::span<const Num> children) const {
    return poseidon_hash(cs, instances[children.size()], children);
  }
};
struct Sha256Tree {
  template <ConstraintSystem CS>
  Num node(CS& cs, std::span<const Num> children) const {
    return sha256_node(cs, children);
  }
};

// The opening of a leaf as values: arities from the leaves up (powers of two); per level arity - 1 siblings in one
// list, and the own node's index. Where values are not kept, siblings and indices are not read beyond their number.
struct PathValues {
  std::span<const unsigned> arities;
  std::span<const Fr> siblings;
  std::span<const std::uint8_t> indices;
};

namespace detail {
// Calls level(arity, first sibling) and checks that the list of siblings is used up.
template <class Level>
void for_each_level(std::span<const unsigned> arities, std::size_t siblings, Level&& level) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < arities.size(); ++i) {
    if (!std::has_single_bit(arities[i]) || arities[i] < 2 || siblings - at < arities[i] - 1)
      throw std::invalid_argument("circuit: a Merkle path does not fit its arities");
    level(i, at);
    at += arities[i] - 1;
  }
  if (at != siblings) throw std::invalid_argument("circuit: a Merkle path has siblings left over");
}
inline unsigned index_bits(unsigned arity) {
  return static_cast<unsigned>(std::countr_zero(arity));
}
}  // namespace detail

// The root over `leaf` along a path that is allocated here, level by level (index bits, then siblings); all index bits
// become one public input.
template <ConstraintSystem CS, class Tree>
Num merkle_root(CS& cs, const Tree& tree, const Num& leaf, const PathValues& path) {
  if (path.indices.size() != path.arities.size())
    throw std::invalid_argument("circuit: a Merkle path needs one index a level");
  Bits all_bits;
  Num current = leaf;
  detail::for_each_level(path.arities, path.siblings.size(), [&](std::size_t level, std::size_t first) {
    const unsigned arity = path.arities[level];
    Bits bits;
    for (unsigned i = 0; i < detail::index_bits(arity); ++i)
      bits.push_back(alloc_boolean(cs, (path.indices[level] >> i & 1) != 0));
    all_bits.insert(all_bits.end(), bits.begin(), bits.end());
    std::vector<Num> siblings;
    for (unsigned i = 0; i + 1 < arity; ++i) siblings.push_back(alloc_num(cs, path.siblings[first + i]));
    current = tree.node(cs, insert(cs, current, bits, siblings));
  });
  pack_into_inputs(cs, all_bits);
  return current;
}

// PoRCircuit with leaf and root given and the root private: the path must lead to `root`.
template <ConstraintSystem CS, class Tree>
void enforce_inclusion(CS& cs, const Tree& tree, const Num& leaf, const PathValues& path, const Num& root) {
  enforce_equal(cs, merkle_root(cs, tree, leaf, path), root);
}

// The same along index bits and siblings that exist already (bits lowest first, the leaf level's first; siblings level
// by level), without a public input.
template <ConstraintSystem CS, class Tree>
void enforce_inclusion(CS& cs, const Tree& tree, const Num& leaf, std::span<const unsigned> arities,
                       std::span<const Boolean> bits, std::span<const Num> siblings, const Num& root) {
  Num current = leaf;
  detail::for_each_level(arities, siblings.size(), [&](std::size_t level, std::size_t first) {
    const unsigned width = detail::index_bits(arities[level]);
    if (bits.size() < width) throw std::invalid_argument("circuit: a Merkle path has too few index bits");
    current = tree.node(cs, insert(cs, current, bits.first(width), siblings.subspan(first, arities[level] - 1)));
    bits = bits.subspan(width);
  });
  if (!bits.empty()) throw std::invalid_argument("circuit: a Merkle path has index bits left over");
  enforce_equal(cs, current, root);
}

}  // namespace pinion::circuit
