#include <limits>
#include <pinion/porep/vanilla_reader.hpp>
#include <utility>

namespace pinion::filecoin {
namespace {

using json::Field;
using json::Place;
using json::Value;

constexpr std::uint64_t any_u32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t any_u64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t any_count = std::numeric_limits<std::size_t>::max();

// A Merkle proof as it stands in the C1; which of its values are scalars the circuit reads depends on the tree.
struct MerkleProof {
  Bytes32 root{};
  Bytes32 leaf{};
  MerklePath path;
};

// The trees of one setup, and the enum variant in which serde writes their proofs.
struct Tree {
  TreeShape shape;
  unsigned base_levels;

  std::string_view variant() const { return shape.top != 0 ? "Top" : shape.sub != 0 ? "Sub" : "Single"; }
};

// What the circuit ignores: hashes in any number.
void read_ignored_hashes(Value value, const Place& at) {
  json::read_array(value, at, any_count,
                   [](Value item, const Place& where, std::size_t) { json::read_bytes32(item, where); });
}

// {"path": [{"hashes": […], "index": n}, …]}, leaf first: appends `levels` levels of one arity.
void read_levels(Value value, const Place& at, unsigned arity, unsigned levels, MerklePath& out) {
  const auto hashes = [&](Value v, const Place& where) {
    json::read_exactly(v, where, arity - 1, "hashes", [&](Value item, const Place& here, std::size_t) {
      out.siblings.push_back(json::read_scalar(item, here));
    });
  };
  const auto index = [&](Value v, const Place& where) {
    out.indices.push_back(static_cast<std::uint8_t>(json::read_unsigned(v, where, arity - 1)));
  };
  const auto path = [&](Value v, const Place& where) {
    json::read_exactly(v, where, levels, "levels", [&](Value item, const Place& here, std::size_t) {
      json::read_object(item, here, Field{"hashes", hashes}, Field{"index", index});
    });
  };
  json::read_object(value, at, Field{"path", path});
}

// The body of a proof's variant. serde allows any order of fields, so sub and top levels wait until the base is there.
MerkleProof read_merkle_body(Value value, const Place& at, const Tree& tree) {
  MerkleProof out;
  MerklePath sub;
  MerklePath top;
  const TreeShape shape = tree.shape;
  const Field root{"root", [&](Value v, const Place& where) { out.root = json::read_bytes32(v, where); }};
  const Field leaf{"leaf", [&](Value v, const Place& where) { out.leaf = json::read_bytes32(v, where); }};
  const auto base = [&](Value v, const Place& where) { read_levels(v, where, shape.base, tree.base_levels, out.path); };
  const Field sub_proof{"sub_proof", [&](Value v, const Place& where) { read_levels(v, where, shape.sub, 1, sub); }};
  const Field top_proof{"top_proof", [&](Value v, const Place& where) { read_levels(v, where, shape.top, 1, top); }};
  if (shape.top != 0)
    json::read_object(value, at, Field{"base_proof", base}, sub_proof, top_proof, root, leaf);
  else if (shape.sub != 0)
    json::read_object(value, at, Field{"base_proof", base}, sub_proof, root, leaf);
  else
    json::read_object(value, at, root, leaf, Field{"path", base});
  for (const MerklePath* upper : {&sub, &top}) {
    out.path.siblings.insert(out.path.siblings.end(), upper->siblings.begin(), upper->siblings.end());
    out.path.indices.insert(out.path.indices.end(), upper->indices.begin(), upper->indices.end());
  }
  return out;
}

MerkleProof read_merkle(Value value, const Place& at, const Tree& tree) {
  MerkleProof out;
  const auto data = [&](Value v, const Place& where) {
    json::read_variant(v, where, [&](std::string_view variant, Value body, const Place& here) {
      if (variant != tree.variant()) here.fail(fmt::format("this tree's proofs are of variant {}", tree.variant()));
      out = read_merkle_body(body, here, tree);
    });
  };
  json::read_object(value, at, Field{"data", data});
  return out;
}

// {"parents": […], "layer_index": n, "node": n}: the circuit recomputes labels; of the first only the node is of use.
std::uint64_t read_labeling(Value value, const Place& at, std::uint64_t last_node) {
  std::uint64_t node = 0;
  json::read_object(
      value, at, Field{"parents", read_ignored_hashes},
      Field{"layer_index", [](Value v, const Place& where) { json::read_unsigned(v, where, any_u32); }},
      Field{"node", [&](Value v, const Place& where) { node = json::read_unsigned(v, where, last_node); }});
  return node;
}

// {"index": n, "rows": […], "_h": null}, where the index is the circuit's own matter: a reader of its rows by `rows`.
template <class F>
auto column(F rows) {
  return [rows](Value value, const Place& at) {
    json::read_object(value, at,
                      Field{"index", [](Value v, const Place& where) { json::read_unsigned(v, where, any_u32); }},
                      Field{"rows", rows}, Field{"_h", json::read_null});
  };
}

class ChallengeReader {
 public:
  explicit ChallengeReader(const PorepSetup& setup)
      : setup_(setup),
        data_tree_{{2, 0, 0}, TreeShape{2, 0, 0}.base_levels(setup.nodes)},
        replica_tree_{setup.tree, setup.tree.base_levels(setup.nodes)} {}

  // Appends one challenge; its roots become the partition's, or must equal them.
  void read(Value value, const Place& at, VanillaPartition& partition) const {
    VanillaChallenge out;
    bls::Fr comm_r_last;
    bls::Fr comm_c;
    const auto data = [&](Value v, const Place& where) {
      MerkleProof proof = read_merkle(v, where, data_tree_);
      out.data_leaf = json::to_scalar(proof.leaf, where.field("data").field(data_tree_.variant()).field("leaf"));
      out.data_path = std::move(proof.path);
    };
    const auto replica = [&](Value v, const Place& where) { comm_r_last = read_rooted(v, where, out.replica_path); };
    const auto columns = [&](Value v, const Place& where) { comm_c = read_columns(v, where, out); };
    const auto labels = [&](Value v, const Place& where) {
      json::read_exactly(v, where, setup_.layers, "layers", [&](Value item, const Place& here, std::size_t layer) {
        const std::uint64_t node = read_labeling(item, here, layer == 0 ? setup_.nodes - 1 : any_u64);
        if (layer == 0) out.node = node;
      });
    };
    json::read_object(value, at, Field{"comm_d_proofs", data}, Field{"comm_r_last_proof", replica},
                      Field{"replica_column_proofs", columns}, Field{"labeling_proofs", labels},
                      Field{"encoding_proof", [](Value v, const Place& where) { read_labeling(v, where, any_u64); }});
    if (partition.challenges.empty()) {
      partition.comm_r_last = comm_r_last;
      partition.comm_c = comm_c;
    }
    if (comm_r_last != partition.comm_r_last)
      at.field("comm_r_last_proof").fail("its root is not that of the partition's first challenge");
    if (comm_c != partition.comm_c)
      at.field("replica_column_proofs").field("c_x").fail("its root is not that of the partition's first challenge");
    partition.challenges.push_back(std::move(out));
  }

 private:
  // A proof of a Poseidon tree whose root the circuit reads.
  bls::Fr read_rooted(Value value, const Place& at, MerklePath& path) const {
    MerkleProof proof = read_merkle(value, at, replica_tree_);
    path = std::move(proof.path);
    return json::to_scalar(proof.root, at.field("data").field(replica_tree_.variant()).field("root"));
  }

  // Returns comm_c.
  bls::Fr read_columns(Value value, const Place& at, VanillaChallenge& out) const {
    bls::Fr comm_c;
    const auto challenged = [&](Value v, const Place& where) {
      json::read_object(v, where, Field{"column", column(read_ignored_hashes)},
                        Field{"inclusion_proof", [&](Value proof, const Place& here) {
                                comm_c = read_rooted(proof, here, out.column_path);
                              }});
    };
    const auto parents = [&](auto& columns) {
      return [&](Value v, const Place& where) {
        json::read_exactly(v, where, columns.size(), "parents",
                           [&](Value item, const Place& here, std::size_t i) { columns[i] = read_parent(item, here); });
      };
    };
    json::read_object(value, at, Field{"c_x", challenged}, Field{"drg_parents", parents(out.drg_parents)},
                      Field{"exp_parents", parents(out.expander_parents)});
    return comm_c;
  }

  VanillaColumn read_parent(Value value, const Place& at) const {
    VanillaColumn out;
    const auto rows = [&](Value v, const Place& where) {
      json::read_exactly(v, where, setup_.layers, "rows", [&](Value item, const Place& here, std::size_t) {
        out.rows.push_back(json::read_scalar(item, here));
      });
    };
    const auto inclusion = [&](Value v, const Place& where) {
      out.path = std::move(read_merkle(v, where, replica_tree_).path);
    };
    json::read_object(value, at, Field{"column", column(rows)}, Field{"inclusion_proof", inclusion});
    return out;
  }

  const PorepSetup& setup_;
  Tree data_tree_;
  Tree replica_tree_;
};

}  // namespace

std::vector<VanillaPartition> read_partitions(Value value, const Place& at, const PorepSetup& setup) {
  const ChallengeReader reader(setup);
  std::vector<VanillaPartition> out;
  json::read_exactly(value, at, setup.partitions, "partitions", [&](Value item, const Place& where, std::size_t) {
    VanillaPartition& partition = out.emplace_back();
    json::read_exactly(item, where, setup.challenges_per_partition, "challenges",
                       [&](Value proof, const Place& here, std::size_t) { reader.read(proof, here, partition); });
  });
  return out;
}

}  // namespace pinion::filecoin
