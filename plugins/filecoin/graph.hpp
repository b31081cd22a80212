// The stacked graph of a PoRep: for each node its DRG parents (previous nodes of the same layer) and its expander
// parents (nodes of the layer before). Sources: storage-proofs-core src/drgraph.rs (BucketGraph), storage-proofs-porep
// src/stacked/vanilla/graph.rs, and crate `feistel`.
#pragma once

#include <array>
#include <cstdint>
#include <pinion/filecoin/digest.hpp>
#include <pinion/filecoin/seal_proof.hpp>

namespace pinion::filecoin {

// A permutation of [0, size): three Feistel rounds over Blake2b on the smallest power of four that covers `size`,
// walked until the result is in range.
class FeistelPermutation {
 public:
  // 0 < size <= 2^62.
  FeistelPermutation(std::uint64_t size, const std::array<std::uint64_t, 3>& keys);
  std::uint64_t operator()(std::uint64_t index) const;

 private:
  std::uint64_t encode(std::uint64_t index) const;

  std::uint64_t size_;
  unsigned half_bits_ = 1;
  std::array<std::uint64_t, 3> keys_;
};

class StackedGraph {
 public:
  static constexpr std::size_t drg_degree = 6;
  static constexpr std::size_t expander_degree = 8;

  // nodes: a power of two, 2 to 2^32. [any]
  StackedGraph(std::uint64_t nodes, const Bytes32& porep_id, ApiVersion version);
  explicit StackedGraph(const PorepSetup& setup) : StackedGraph(setup.nodes, setup.porep_id, setup.api_version) {}

  // Parents of `node` < nodes, in the order in which labels and public inputs take them. Nodes 0 and 1 have parents 0.
  // [any]
  std::array<std::uint64_t, drg_degree> drg_parents(std::uint64_t node) const;
  std::array<std::uint64_t, expander_degree> expander_parents(std::uint64_t node) const;

 private:
  ApiVersion version_;
  std::array<std::uint8_t, 28> drg_seed_{};
  FeistelPermutation permutation_;
};

}  // namespace pinion::filecoin
