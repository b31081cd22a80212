#include <pinion/filecoin/bincode_writer.hpp>

namespace pinion::filecoin {

void BincodeWriter::opening(const MerkleOpening& opening, TreeShape shape, std::uint64_t nodes) {
  auto sibling = opening.path.siblings.begin();
  auto index = opening.path.indices.begin();
  const auto ends = [&] {
    scalar(opening.root);
    scalar(opening.leaf);
  };
  const auto levels = [&](unsigned arity, unsigned count) {
    u64(count);
    for (unsigned level = 0; level < count; ++level) {
      u64(arity - 1);
      for (unsigned i = 0; i + 1 < arity; ++i) scalar(*sibling++);
      u64(*index++);
    }
  };
  u32(shape.top != 0 ? 2 : shape.sub != 0 ? 1 : 0);
  if (shape.sub == 0) ends();
  levels(shape.base, shape.base_levels(nodes));
  if (shape.sub != 0) levels(shape.sub, 1);
  if (shape.top != 0) levels(shape.top, 1);
  if (shape.sub != 0) ends();
}

}  // namespace pinion::filecoin
