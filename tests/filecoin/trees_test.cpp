// Trees of sectors that are not there, against the same trees hashed whole.
#include <catch2/catch.hpp>
#include <pinion/fake/trees.hpp>
#include <pinion/test/thread_executor.hpp>

using namespace pinion;
using namespace pinion::filecoin;
using bls::Fr;

namespace {

// All levels of a tree, leaf by leaf.
class WholeTree {
 public:
  WholeTree(std::vector<unsigned> arities, const NodeHash& hash, std::vector<Fr> leaves)
      : arities_(std::move(arities)), levels_{std::move(leaves)} {
    for (const unsigned arity : arities_) {
      const std::span<const Fr> below(levels_.back());
      std::vector<Fr> level;
      for (std::size_t i = 0; i < below.size(); i += arity) level.push_back(hash(below.subspan(i, arity)));
      levels_.push_back(std::move(level));
    }
  }
  const std::vector<unsigned>& arities() const { return arities_; }
  const Fr& node(std::size_t level, std::uint64_t index) const { return levels_.at(level).at(index); }
  std::size_t nodes(std::size_t level) const { return levels_[level].size(); }

 private:
  std::vector<unsigned> arities_;
  std::vector<std::vector<Fr>> levels_;
};

template <class Tree>
void check_equal(const Tree& tree, const WholeTree& whole) {
  for (std::size_t level = 0; level <= whole.arities().size(); ++level)
    for (std::uint64_t i = 0; i < whole.nodes(level); ++i) REQUIRE(tree.node(level, i) == whole.node(level, i));
}

const circuit::PoseidonSet hashes{2, 8};
// The tree shapes of 2KiB, 32GiB (at 512 nodes) and 64GiB (at 1024), and a binary one.
const std::vector<std::pair<TreeShape, std::uint64_t>> shapes{
    {{8, 0, 0}, 64}, {{8, 8, 0}, 512}, {{8, 8, 2}, 1024}, {{2, 0, 0}, 256}};

std::vector<Fr> periodic(const std::vector<Fr>& row, std::uint64_t nodes) {
  std::vector<Fr> leaves;
  for (std::uint64_t i = 0; i < nodes; ++i) leaves.push_back(row[i % filler_period]);
  return leaves;
}

}  // namespace

TEST_CASE("periodic trees, and those with leaves of their own, are the trees of their leaves") {
  const NodeHash hash = poseidon_nodes(hashes);
  const auto row = Filler(7).row("leaf");
  test::ThreadExecutor executor;
  for (const auto& [shape, nodes] : shapes) {
    const auto arities = level_arities(shape, nodes);
    auto leaves = periodic(row, nodes);
    const PeriodicTree filler(arities, hash, row, nodes);
    check_equal(filler, WholeTree(arities, hash, leaves));
    SparseTree sparse(filler, hash);
    for (const std::uint64_t leaf : {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{10}, nodes - 1}) {
      leaves[leaf] = Fr::from_u64(leaf + 1);
      sparse.set(leaf, leaves[leaf]);
    }
    sparse.close(executor);
    check_equal(sparse, WholeTree(arities, hash, leaves));
  }
}

TEST_CASE("a tree with another row in each segment is the tree of its leaves") {
  const NodeHash hash = poseidon_nodes(hashes);
  test::ThreadExecutor executor;
  const auto row_of = [](std::uint64_t segment) { return Filler(segment).row("leaf"); };
  for (const auto& [shape, nodes] : shapes)
    for (const std::uint64_t segments : {1, 2, 16}) {
      const auto arities = level_arities(shape, nodes);
      std::vector<Fr> leaves;
      for (std::uint64_t i = 0; i < nodes; ++i) leaves.push_back(row_of(i / (nodes / segments))[i % filler_period]);
      check_equal(SegmentedTree(arities, hash, nodes, segments, row_of, executor), WholeTree(arities, hash, leaves));
    }
}

TEST_CASE("an opening leads from its leaf to the root") {
  const NodeHash hash = poseidon_nodes(hashes);
  const std::uint64_t nodes = 1024;
  const PeriodicTree tree(level_arities({8, 8, 2}, nodes), hash, Filler(1).row("leaf"), nodes);
  for (const std::uint64_t leaf : {std::uint64_t{0}, std::uint64_t{61}, std::uint64_t{777}, nodes - 1}) {
    const MerkleOpening opening = open_leaf(tree, leaf);
    Fr node = opening.leaf;
    auto sibling = opening.path.siblings.begin();
    for (std::size_t level = 0; level < tree.arities().size(); ++level) {
      std::vector<Fr> children(sibling, sibling + tree.arities()[level] - 1);
      sibling += tree.arities()[level] - 1;
      children.insert(children.begin() + opening.path.indices[level], node);
      node = hash(children);
    }
    CHECK(node == root(tree));
    CHECK(opening.root == root(tree));
  }
}
