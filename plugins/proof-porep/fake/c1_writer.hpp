// Writes a C1 output as serde_json writes SealCommitPhase1Output: the order of fields and every byte between them.
#pragma once

#include <pinion/filecoin/bincode.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pinion::filecoin {

class C1Writer {
 public:
  C1Writer& raw(std::string_view text) {
    text_.append(text);
    return *this;
  }
  C1Writer& number(std::uint64_t value) { return raw(std::to_string(value)); }
  // [1,2,…]
  C1Writer& bytes(const Bytes32& value);
  // [[…],[…]]
  C1Writer& scalars(std::span<const bls::Fr> values);
  // {"data":{"Single":…}}; a tree of `shape` over `nodes` leaves.
  C1Writer& opening(const MerkleOpening& opening, TreeShape shape, std::uint64_t nodes);
  // {"column":…,"inclusion_proof":…}
  C1Writer& column(std::uint64_t node, std::span<const bls::Fr> rows, const MerkleOpening& opening, TreeShape shape,
                   std::uint64_t nodes);
  // {"parents":…,"layer_index":…,"node":…}
  C1Writer& labelling(std::span<const bls::Fr> parents, unsigned layer, std::uint64_t node);

  // What was written since the last time.
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

}  // namespace pinion::filecoin
