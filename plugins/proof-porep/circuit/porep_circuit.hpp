// The PoRep circuit: one partition's challenges, each opening the challenged node in TreeD, TreeR and TreeC, opening
// the columns of its parents in TreeC, and recomputing its labels and its encoding. Order of variables and rows is the
// reference's; the parameter files depend on it.
// Source: rust-fil-proofs storage-proofs-porep src/stacked/circuit/{proof,params,column,hash}.rs.
#pragma once

#include <pinion/circuit/merkle.hpp>
#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/porep/circuit/create_label.hpp>
#include <pinion/porep/vanilla.hpp>
#include <span>
#include <vector>

namespace pinion::filecoin {

// Hashes that the circuits of all sizes are made with: comm_r and 2-layer columns, tree nodes, 11-layer columns.
inline circuit::PoseidonSet porep_hashes() {
  return circuit::PoseidonSet{2, 8, 11};
}

template <circuit::ConstraintSystem CS>
class PorepCircuit {
 public:
  using Num = circuit::Num;
  using Bits = circuit::Bits;
  using Scope = circuit::Scope<CS>;

  // What all challenges refer to.
  struct Statement {
    Bits replica_id;  // 256, as a hash takes them
    Num comm_d, comm_r_last, comm_c;
  };

  // `hashes` outlives the circuit.
  PorepCircuit(CS& cs, const PorepSetup& setup, const circuit::PoseidonSet& hashes)
      : cs_(cs),
        hashes_(hashes),
        tree_arities_(level_arities(setup.tree, setup.nodes)),
        data_arities_(binary_level_arities(setup.nodes)),
        layers_(setup.layers) {}

  // The whole circuit; misfit(partition, setup) is empty.
  void synthesize(const VanillaPartition& partition) {
    const Statement statement = this->statement(partition);
    for (std::size_t i = 0; i < partition.challenges.size(); ++i) challenge(statement, i, partition.challenges[i]);
  }

  // The first part. comm_r is public and the hash of comm_c and comm_r_last.
  Statement statement(const VanillaPartition& partition) {
    Statement out;
    const Num replica_id = alloc_num(cs_, partition.replica_id);
    inputize(cs_, replica_id);
    out.replica_id = to_bytes_le(cs_, replica_id);
    out.comm_d = alloc_num(cs_, partition.comm_d);
    inputize(cs_, out.comm_d);
    const Num comm_r = alloc_num(cs_, partition.comm_r);
    inputize(cs_, comm_r);
    out.comm_r_last = alloc_num(cs_, partition.comm_r_last);
    out.comm_c = alloc_num(cs_, partition.comm_c);
    const Scope scope(cs_, "H_comm_c_comm_r_last");
    enforce_equal(cs_, comm_r, poseidon_hash(cs_, hashes_[2], std::array{out.comm_c, out.comm_r_last}));
    return out;
  }

  // Each following part; they do not depend on one another.
  void challenge(const Statement& statement, std::size_t number, const VanillaChallenge& values) {
    const Scope scope(cs_, "challenge", static_cast<std::int64_t>(number));
    const Num data_leaf = alloc_num(cs_, values.data_leaf);
    {
      const Scope inclusion(cs_, "comm_d_inclusion");
      enforce_inclusion(cs_, circuit::Sha256Tree{}, data_leaf, path(values.data_path, data_arities_), statement.comm_d);
    }
    const auto drg = parents("drg_parent", values.drg_parents, statement.comm_c);
    const auto expander = parents("exp_parent", values.expander_parents, statement.comm_c);
    const Bits node = circuit::alloc_u64(cs_, values.node);
    circuit::pack_into_inputs(cs_, node);

    const std::vector<Num> labels = label_column(statement.replica_id, node, drg, expander);
    const Num encoded = add(cs_, labels.back(), data_leaf);
    {
      const Scope inclusion(cs_, "comm_r_last_data_inclusion");
      enforce_included(encoded, values.replica_path, statement.comm_r_last);
    }
    const Scope inclusion(cs_, "c_x_inclusion");
    enforce_included(hash_column(labels), values.column_path, statement.comm_c);
  }

 private:
  using Column = std::vector<Num>;

  static circuit::PathValues path(const MerklePath& path, std::span<const unsigned> arities) {
    return {arities, path.siblings, path.indices};
  }
  void enforce_included(const Num& leaf, const MerklePath& values, const Num& root) {
    enforce_inclusion(cs_, circuit::PoseidonTree{hashes_}, leaf, path(values, tree_arities_), root);
  }
  Num hash_column(const Column& column) { return poseidon_hash(cs_, hashes_[column.size()], column); }

  // The columns of parents, each opened in TreeC.
  std::vector<Column> parents(std::string_view name, std::span<const VanillaColumn> values, const Num& comm_c) {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Scope scope(cs_, name, static_cast<std::int64_t>(i));
      Column column;
      for (const circuit::Fr& row : values[i].rows) column.push_back(alloc_num(cs_, row));
      enforce_included(hash_column(column), values[i].path, comm_c);
      columns.push_back(std::move(column));
    }
    return columns;
  }

  // The challenged node's label in each layer. A layer's label hashes the DRG parents' labels of the same layer and the
  // expander parents' of the one before; the reference takes their bits anew in each layer.
  std::vector<Num> label_column(const Bits& replica_id, const Bits& node, std::span<const Column> drg,
                                std::span<const Column> expander) {
    std::vector<Num> labels;
    for (unsigned layer = 1; layer <= layers_; ++layer) {
      const Scope scope(cs_, "labeling", layer);
      std::vector<Bits> parents;
      for (const Column& column : drg) parents.push_back(to_bytes_le(cs_, column[layer - 1]));
      if (layer > 1)
        for (const Column& column : expander) parents.push_back(to_bytes_le(cs_, column[layer - 2]));
      labels.push_back(create_label(cs_, replica_id, parents, layer, node));
    }
    return labels;
  }

  CS& cs_;
  const circuit::PoseidonSet& hashes_;
  std::vector<unsigned> tree_arities_, data_arities_;
  unsigned layers_;
};

}  // namespace pinion::filecoin
