#include <pinion/porep/fake/c1_writer.hpp>

namespace pinion::filecoin {

C1Writer& C1Writer::bytes(const Bytes32& value) {
  char separator = '[';
  for (const std::uint8_t byte : value) {
    text_ += separator;
    if (byte >= 100) text_ += static_cast<char>('0' + byte / 100);
    if (byte >= 10) text_ += static_cast<char>('0' + byte / 10 % 10);
    text_ += static_cast<char>('0' + byte % 10);
    separator = ',';
  }
  return raw("]");
}

C1Writer& C1Writer::scalars(std::span<const bls::Fr> values) {
  std::string_view separator = "[";
  for (const bls::Fr& value : values) {
    raw(separator).bytes(value.to_bytes());
    separator = ",";
  }
  return raw("]");
}

C1Writer& C1Writer::opening(const MerkleOpening& opening, TreeShape shape, std::uint64_t nodes) {
  std::span<const bls::Fr> siblings(opening.path.siblings);
  std::span<const std::uint8_t> indices(opening.path.indices);
  const auto path = [&](std::string_view name, unsigned arity, unsigned levels) {
    raw("\"").raw(name).raw("\":{\"path\":");
    std::string_view separator = "[";
    for (; levels > 0; --levels) {
      raw(separator).raw("{\"hashes\":").scalars(siblings.first(arity - 1));
      raw(",\"index\":").number(indices.front()).raw("}");
      siblings = siblings.subspan(arity - 1);
      indices = indices.subspan(1);
      separator = ",";
    }
    raw("]}");
  };
  const auto ends = [&] {
    raw("\"root\":").bytes(opening.root.to_bytes()).raw(",\"leaf\":").bytes(opening.leaf.to_bytes());
  };
  const unsigned base_levels = shape.base_levels(nodes);
  if (shape.sub == 0) {
    raw("{\"data\":{\"Single\":{");
    ends();
    raw(",");
    path("path", shape.base, base_levels);
    return raw("}}}");
  }
  raw(shape.top == 0 ? "{\"data\":{\"Sub\":{" : "{\"data\":{\"Top\":{");
  path("base_proof", shape.base, base_levels);
  raw(",");
  path("sub_proof", shape.sub, 1);
  raw(",");
  if (shape.top != 0) {
    path("top_proof", shape.top, 1);
    raw(",");
  }
  ends();
  return raw("}}}");
}

C1Writer& C1Writer::column(std::uint64_t node, std::span<const bls::Fr> rows, const MerkleOpening& opened,
                           TreeShape shape, std::uint64_t nodes) {
  raw("{\"column\":{\"index\":").number(node).raw(",\"rows\":").scalars(rows);
  return raw(",\"_h\":null},\"inclusion_proof\":").opening(opened, shape, nodes).raw("}");
}

C1Writer& C1Writer::labelling(std::span<const bls::Fr> parents, unsigned layer, std::uint64_t node) {
  raw("{\"parents\":").scalars(parents).raw(",\"layer_index\":").number(layer);
  return raw(",\"node\":").number(node).raw("}");
}

}  // namespace pinion::filecoin
