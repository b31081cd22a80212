#include "trees.hpp"

#include <algorithm>
#include <atomic>

namespace pinion::filecoin {

using bls::Fr;

NodeHash poseidon_nodes(const circuit::PoseidonSet& hashes) {
  return [&hashes](std::span<const Fr> children) { return hashes[children.size()].hash(children); };
}

NodeHash sha256_nodes() {
  return [](std::span<const Fr> children) {
    const Bytes32 left = children[0].to_bytes();
    const Bytes32 right = children[1].to_bytes();
    Bytes32 node = sha256({left, right});
    node[31] &= 0x3f;
    return *Fr::from_bytes(node);
  };
}

PeriodicTree::PeriodicTree(std::vector<unsigned> arities, const NodeHash& hash, std::vector<Fr> row,
                           std::uint64_t leaves, std::uint64_t first)
    : arities_(std::move(arities)), widths_{1}, rows_{std::move(row)}, first_(first) {
  std::vector<Fr> children;
  for (std::size_t level = 0; level < arities_.size(); ++level) {
    widths_.push_back(widths_.back() * arities_[level]);
    rows_.emplace_back(filler_period);
    const std::uint64_t nodes = std::min<std::uint64_t>(leaves / widths_.back(), filler_period);
    for (std::uint64_t i = 0; i < nodes; ++i) {
      children.clear();
      for (unsigned child = 0; child < arities_[level]; ++child)
        children.push_back(node(level, i * arities_[level] + child));
      rows_.back()[phase(level + 1, i)] = hash(children);
    }
  }
}

void SparseTree::close(Executor& executor) {
  for (std::size_t level = 0; level < arities().size(); ++level) {
    const unsigned arity = arities()[level];
    std::vector<std::uint64_t> parents;
    for (const auto& [index, value] : changed_[level]) parents.push_back(index / arity);
    std::sort(parents.begin(), parents.end());
    parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
    std::vector<Fr> values(parents.size());
    executor.for_range(parents.size(), 8, [&](std::uint64_t begin, std::uint64_t end) {
      executor.check();
      std::vector<Fr> children(arity);
      for (std::uint64_t i = begin; i < end; ++i) {
        for (unsigned child = 0; child < arity; ++child) children[child] = node(level, parents[i] * arity + child);
        values[i] = hash_(children);
      }
    });
    for (std::size_t i = 0; i < parents.size(); ++i) changed_[level + 1].emplace(parents[i], values[i]);
  }
}

SegmentedTree::SegmentedTree(std::vector<unsigned> arities, const NodeHash& hash, std::uint64_t leaves,
                             std::uint64_t segments, const std::function<std::vector<Fr>(std::uint64_t)>& row_of,
                             Executor& executor)
    : arities_(std::move(arities)), per_segment_{leaves / segments} {
  for (const unsigned arity : arities_) {
    if (per_segment_.back() % arity != 0) break;
    per_segment_.push_back(per_segment_.back() / arity);
  }
  const std::vector<unsigned> within(arities_.begin(), arities_.begin() + std::ssize(per_segment_) - 1);
  segments_.resize(segments);
  std::atomic<std::uint64_t> done = 0;
  executor.for_each(segments, [&](std::uint64_t s) {
    executor.check();
    segments_[s].emplace(within, hash, row_of(s), per_segment_[0], s * per_segment_[0]);
    executor.progress(++done, segments);
  });
  for (std::size_t level = within.size(); level < arities_.size(); ++level) {
    std::uint64_t nodes = leaves;
    for (std::size_t below = 0; below <= level; ++below) nodes /= arities_[below];
    std::vector<Fr> row(nodes);
    executor.for_range(nodes, 8, [&](std::uint64_t begin, std::uint64_t end) {
      std::vector<Fr> children(arities_[level]);
      for (std::uint64_t i = begin; i < end; ++i) {
        for (unsigned child = 0; child < children.size(); ++child)
          children[child] = node(level, i * children.size() + child);
        row[i] = hash(children);
      }
    });
    above_.push_back(std::move(row));
  }
}

const Fr& SegmentedTree::node(std::size_t level, std::uint64_t index) const {
  if (level >= per_segment_.size()) return above_[level - per_segment_.size()][index];
  return segments_[index / per_segment_[level]]->node(level, index % per_segment_[level]);
}

}  // namespace pinion::filecoin
