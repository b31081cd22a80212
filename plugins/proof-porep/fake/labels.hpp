// Labels of a sector that nobody sealed: real for the nodes asked for, over parents that may be filler. Source:
// rust-fil-proofs storage-proofs-porep src/stacked/vanilla/create_label/single.rs.
#pragma once

#include <pinion/executor.hpp>
#include <pinion/fake/filler.hpp>
#include <pinion/filecoin/graph.hpp>
#include <unordered_map>
#include <vector>

namespace pinion::filecoin {

class FakeLabels {
 public:
  // `setup` and `graph` outlive it.
  FakeLabels(const PorepSetup& setup, const StackedGraph& graph, const Bytes32& replica_id, const Filler& filler);

  // Computes the labels of `nodes`, ascending and without repetition, in all layers. Once. [worker]
  void compute(const std::vector<std::uint64_t>& nodes, Executor& executor);

  // Of layer 1 to setup.layers, in the filler's period where not computed. [any]
  const bls::Fr& label(unsigned layer, std::uint64_t node) const;
  // All layers' labels of a node. [any]
  std::vector<bls::Fr> column(std::uint64_t node) const;
  // Of filler alone, for leaf `phase` of the period.
  std::vector<bls::Fr> filler_column(unsigned phase) const;
  // What the label of a node hashes: its parents' labels, repeated up to label_parents. [any]
  std::vector<bls::Fr> parents(unsigned layer, std::uint64_t node) const;

 private:
  bls::Fr create_label(unsigned layer, std::uint64_t node) const;

  const PorepSetup& setup_;
  const StackedGraph& graph_;
  const Bytes32 replica_id_;
  std::vector<std::vector<bls::Fr>> filler_;  // of each layer
  std::unordered_map<std::uint64_t, std::vector<bls::Fr>> real_;
};

}  // namespace pinion::filecoin
