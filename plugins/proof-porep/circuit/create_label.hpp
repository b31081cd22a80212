// The label of a node as constraints: SHA-256 over the replica id, layer, node and the labels of its parents.
// Source: rust-fil-proofs storage-proofs-porep src/stacked/circuit/create_label.rs.
#pragma once

#include <pinion/circuit/sha256.hpp>
#include <span>

namespace pinion::filecoin {

// Parents that a label hashes; those of the graph are repeated in order until there are as many.
inline constexpr std::size_t label_parents = 37;

// replica_id: 256 bits, and `parents`: 256 bits each, in the order in which a hash takes the bytes; `node`: 64 bits,
// lowest first. The label is the digest's low 254 bits.
template <circuit::ConstraintSystem CS>
circuit::Num create_label(CS& cs, const circuit::Bits& replica_id, std::span<const circuit::Bits> parents,
                          std::uint32_t layer, const circuit::Bits& node) {
  using circuit::Boolean;
  circuit::Bits message;
  message.reserve(512 + 256 * label_parents);
  message = replica_id;
  for (unsigned i = 32; i-- > 0;) message.push_back(Boolean::constant((layer >> i & 1) != 0));
  message.insert(message.end(), node.rbegin(), node.rend());
  message.resize(512, Boolean::constant(false));
  for (std::size_t i = 0; i < label_parents; ++i) {
    const circuit::Bits& parent = parents[i % parents.size()];
    message.insert(message.end(), parent.begin(), parent.end());
  }
  return circuit::sha256_num(cs, message);
}

}  // namespace pinion::filecoin
