// Merkle trees of whole sectors without the sectors: leaves are periodic (filler.hpp), so a tree of 2^31 of them has a
// few hundred different nodes, and each leaf that departs from the period costs one path. Trees are read by level (0:
// leaves) and index within the level; `arities` are those of the levels from the leaves up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <pinion/circuit/poseidon.hpp>
#include <pinion/executor.hpp>
#include <pinion/fake/filler.hpp>
#include <pinion/filecoin/bincode.hpp>
#include <span>
#include <unordered_map>
#include <vector>

namespace pinion::filecoin {

// The node over its children.
using NodeHash = std::function<bls::Fr(std::span<const bls::Fr>)>;
NodeHash poseidon_nodes(const circuit::PoseidonSet& hashes);  // `hashes` outlives it
NodeHash sha256_nodes();

// A run of `leaves` leaves of a tree, beginning at its leaf `first`, and the nodes that lie wholly above them: a whole
// tree, or a row of equal subtrees. Leaf i of the tree is row[i mod filler_period]. Both numbers are multiples of the
// highest level's width.
class PeriodicTree {
 public:
  // Hashes at most filler_period nodes a level. [any]
  PeriodicTree(std::vector<unsigned> arities, const NodeHash& hash, std::vector<bls::Fr> row, std::uint64_t leaves,
               std::uint64_t first = 0);

  const std::vector<unsigned>& arities() const { return arities_; }
  // `index` counts the level's nodes within this run. [any]
  const bls::Fr& node(std::size_t level, std::uint64_t index) const { return rows_[level][phase(level, index)]; }

 private:
  // The first leaf below a node, in the period.
  std::uint64_t phase(std::size_t level, std::uint64_t index) const {
    return (first_ + index * widths_[level]) % filler_period;
  }

  std::vector<unsigned> arities_;
  std::vector<std::uint64_t> widths_;       // leaves below a node of each level
  std::vector<std::vector<bls::Fr>> rows_;  // of each level, by phase
  std::uint64_t first_;
};

// A periodic tree with other values at some leaves.
class SparseTree {
 public:
  // Both outlive the tree.
  SparseTree(const PeriodicTree& filler, const NodeHash& hash)
      : filler_(filler), hash_(hash), changed_(filler.arities().size() + 1) {}

  // Before close().
  void set(std::uint64_t leaf, const bls::Fr& value) { changed_[0].insert_or_assign(leaf, value); }
  // Hashes the nodes above the leaves that were set. [worker]
  void close(Executor& executor);

  const std::vector<unsigned>& arities() const { return filler_.arities(); }
  const bls::Fr& node(std::size_t level, std::uint64_t index) const {
    const auto found = changed_[level].find(index);
    return found == changed_[level].end() ? filler_.node(level, index) : found->second;
  }

 private:
  const PeriodicTree& filler_;
  const NodeHash& hash_;
  std::vector<std::unordered_map<std::uint64_t, bls::Fr>> changed_;
};

// A tree whose leaves are periodic within each of `segments` equal segments (powers of two), with another row in each.
class SegmentedTree {
 public:
  // row_of(s): the row of segment s, indexed like all rows by the leaf's place in the whole tree. [worker]
  SegmentedTree(std::vector<unsigned> arities, const NodeHash& hash, std::uint64_t leaves, std::uint64_t segments,
                const std::function<std::vector<bls::Fr>(std::uint64_t)>& row_of, Executor& executor);

  const std::vector<unsigned>& arities() const { return arities_; }
  const bls::Fr& node(std::size_t level, std::uint64_t index) const;

 private:
  std::vector<unsigned> arities_;
  std::vector<std::optional<PeriodicTree>> segments_;
  std::vector<std::uint64_t> per_segment_;   // nodes of each level that lies within segments
  std::vector<std::vector<bls::Fr>> above_;  // levels above those, whole
};

template <class Tree>
const bls::Fr& root(const Tree& tree) {
  return tree.node(tree.arities().size(), 0);
}

// The proof that a leaf is in a tree. [any]
template <class Tree>
MerkleOpening open_leaf(const Tree& tree, std::uint64_t leaf) {
  MerkleOpening out{root(tree), tree.node(0, leaf), {}};
  std::uint64_t index = leaf;
  for (std::size_t level = 0; level < tree.arities().size(); ++level) {
    const unsigned arity = tree.arities()[level];
    const std::uint64_t own = index % arity;
    for (unsigned child = 0; child < arity; ++child)
      if (child != own) out.path.siblings.push_back(tree.node(level, index - own + child));
    out.path.indices.push_back(static_cast<std::uint8_t>(own));
    index /= arity;
  }
  return out;
}

}  // namespace pinion::filecoin
