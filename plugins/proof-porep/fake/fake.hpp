// A sector that was never sealed, and its C1 output: data, labels and replica repeat, and only what a challenge opens
// is as sealing makes it. Interactive challenges follow from the data alone, so they are known before any label;
// synthetic and non-interactive ones depend on comm_r and so on every label, which only small sectors can afford.
#pragma once

#include <functional>
#include <optional>
#include <pinion/fake/trees.hpp>
#include <pinion/filecoin/porep_challenges.hpp>
#include <pinion/porep/fake/c1_writer.hpp>
#include <pinion/porep/fake/labels.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pinion::filecoin {

struct FakeIdentity {
  std::uint64_t miner_id;
  std::uint64_t sector_number;
};

class FakeSeal {
 public:
  // Why a sector of this proof cannot be made up; empty when it can. [any]
  static std::string obstacle(const SealProof& proof);

  // Labels and hashes. No obstacle() stands in the way. `hashes` are porep_hashes() and outlive it. [worker]
  FakeSeal(const SealProof& proof, std::uint64_t seed, const FakeIdentity& identity, const circuit::PoseidonSet& hashes,
           Executor& executor);

  const SealStatement& statement() const { return statement_; }
  // The whole C1 output, piece by piece. [worker]
  void write_c1(const std::function<void(std::string_view)>& write, Executor& executor) const;

 private:
  std::vector<std::uint64_t> nodes_to_label() const;
  void write_challenge(C1Writer& out, std::uint64_t node) const;

  const SealProof proof_;
  const PorepSetup setup_;
  const StackedGraph graph_;
  const Filler filler_;
  const circuit::PoseidonSet& hashes_;
  const NodeHash poseidon_;
  const PeriodicTree data_;
  const Bytes32 ticket_;
  SealStatement statement_;
  FakeLabels labels_;
  // TreeC and TreeR: the period, and on it the labelled nodes.
  std::optional<PeriodicTree> filler_columns_, filler_replica_;
  std::optional<SparseTree> columns_, replica_;
};

}  // namespace pinion::filecoin
