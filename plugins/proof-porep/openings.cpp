#include <fmt/format.h>

#include <array>
#include <bit>
#include <pinion/plugin/error.hpp>
#include <pinion/porep/openings.hpp>

namespace pinion::filecoin {
namespace {

// One challenge's openings against what the graph says; `where` is the path of its vanilla proof.
class Checker {
 public:
  Checker(const PorepSetup& setup, const StackedGraph& graph)
      : graph_(graph), binary_(binary_level_arities(setup.nodes)), tree_(level_arities(setup.tree, setup.nodes)) {}

  void check(const VanillaChallenge& proof, std::uint64_t challenge, const std::string& where) const {
    expect(proof.node, challenge, where + ".labeling_proofs[0].node");
    expect(leaf_index(proof.data_path, binary_), challenge, where + ".comm_d_proofs");
    expect(leaf_index(proof.replica_path, tree_), challenge, where + ".comm_r_last_proof");
    expect(leaf_index(proof.column_path, tree_), challenge, where + ".replica_column_proofs.c_x");
    parents(proof.drg_parents, graph_.drg_parents(challenge), where + ".replica_column_proofs.drg_parents");
    parents(proof.expander_parents, graph_.expander_parents(challenge), where + ".replica_column_proofs.exp_parents");
  }

 private:
  template <class Columns, class Nodes>
  void parents(const Columns& columns, const Nodes& nodes, const std::string& where) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      expect(leaf_index(columns[i].path, tree_), nodes[i], fmt::format("{}[{}]", where, i));
  }
  static void expect(std::uint64_t found, std::uint64_t asked, const std::string& where) {
    if (found == asked) return;
    throw Error(PINION_INVALID_INPUT,
                fmt::format("{}: opens node {}, but the C1's replica_id, comm_r and seed ask for node {}", where, found,
                            asked));
  }

  const StackedGraph& graph_;
  std::vector<unsigned> binary_;
  std::vector<unsigned> tree_;
};

}  // namespace

std::uint64_t leaf_index(const MerklePath& path, const std::vector<unsigned>& arities) {
  std::uint64_t index = 0;
  unsigned shift = 0;
  for (std::size_t level = 0; level < arities.size(); ++level) {
    index |= std::uint64_t{path.indices[level]} << shift;
    shift += static_cast<unsigned>(std::countr_zero(arities[level]));
  }
  return index;
}

SealStatement statement_of(const C1& c1) {
  return {c1.replica_id, c1.comm_d, c1.comm_r, c1.seed};
}

void check_openings(const C1& c1, const PorepSetup& setup, const StackedGraph& graph, unsigned k) {
  const Checker checker(setup, graph);
  const auto challenges = porep_challenges(setup, statement_of(c1), k);
  const std::vector<VanillaChallenge>& proofs = c1.partitions.at(k).challenges;
  for (std::size_t i = 0; i < challenges.size(); ++i)
    checker.check(proofs[i], challenges[i], fmt::format("vanilla_proofs.{}[{}][{}]", c1.proof.vanilla_name(), k, i));
}

void check_roots(const C1& c1, const circuit::Poseidon& hash, unsigned k) {
  const VanillaPartition& partition = c1.partitions.at(k);
  const bls::Fr comm_r = hash.hash(std::array{partition.comm_c, partition.comm_r_last});
  if (comm_r == partition.comm_r) return;
  throw Error(
      PINION_INVALID_INPUT,
      fmt::format("vanilla_proofs.{}[{}]: the roots of its trees (comm_c {}, comm_r_last {}) hash to {}, the C1's "
                  "comm_r is {}",
                  c1.proof.vanilla_name(), k, to_hex(partition.comm_c.to_bytes()),
                  to_hex(partition.comm_r_last.to_bytes()), to_hex(comm_r.to_bytes()), to_hex(c1.comm_r)));
}

}  // namespace pinion::filecoin
