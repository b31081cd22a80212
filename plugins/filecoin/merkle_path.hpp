// MerklePath: what opens one leaf of a tree, as the circuits read it: siblings and positions from the leaf upwards,
// base levels first, then the sub and the top level (TreeShape). Plain data; whether it leads to a root is the
// circuit's matter.
#pragma once

#include <bit>
#include <cstdint>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/filecoin/sector.hpp>
#include <vector>

namespace pinion::filecoin {

struct MerklePath {
  std::vector<bls::Fr> siblings;      // level by level; arity - 1 each, without the own node
  std::vector<std::uint8_t> indices;  // of the own node in each level, below the arity
};

// Arities from the leaves up: a tree shape over `nodes` leaves, or the binary TreeD. [any]
inline std::vector<unsigned> level_arities(TreeShape shape, std::uint64_t nodes) {
  std::vector<unsigned> arities(shape.base_levels(nodes), shape.base);
  if (shape.sub != 0) arities.push_back(shape.sub);
  if (shape.top != 0) arities.push_back(shape.top);
  return arities;
}
inline std::vector<unsigned> binary_level_arities(std::uint64_t nodes) {
  return std::vector<unsigned>(static_cast<std::size_t>(std::countr_zero(nodes)), 2);
}

// The right number of siblings, and every index below its arity. [any]
inline bool fits(const MerklePath& path, const std::vector<unsigned>& arities) {
  std::size_t siblings = 0;
  if (path.indices.size() != arities.size()) return false;
  for (std::size_t level = 0; level < arities.size(); ++level) {
    if (path.indices[level] >= arities[level]) return false;
    siblings += arities[level] - 1;
  }
  return path.siblings.size() == siblings;
}

}  // namespace pinion::filecoin
