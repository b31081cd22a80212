#include <pinion/snap/vanilla.hpp>
#include <utility>

namespace pinion::filecoin {
namespace {

MerklePath blank_path(const std::vector<unsigned>& arities) {
  MerklePath path;
  for (const unsigned arity : arities) path.siblings.resize(path.siblings.size() + arity - 1);
  path.indices.resize(arities.size());
  return path;
}

// The root of one tree: the first proof's, and then every other's.
class CommonRoot {
 public:
  explicit CommonRoot(bls::Fr& root) : root_(root) {}
  void meet(const Bincode& reader, const bls::Fr& root) {
    if (!std::exchange(known_, true)) root_ = root;
    if (root != root_) reader.fail("its root is not that of the partition's first challenge");
  }

 private:
  bls::Fr& root_;
  bool known_ = false;
};

}  // namespace

UpdatePartition UpdatePartition::blank(const UpdateSetup& setup) {
  UpdatePartition out;
  out.apex_leaves.resize(setup.apex_leaves);
  const MerklePath replica = blank_path(level_arities(setup.tree, setup.nodes));
  const MerklePath data = blank_path(binary_level_arities(setup.nodes));
  out.challenges.resize(setup.challenges, UpdateChallenge{{}, {}, replica, replica, data});
  return out;
}

UpdatePartition read_update_partition(ByteView bytes, const UpdateSetup& setup, std::string what) {
  static constexpr TreeShape binary{2, 0, 0};
  Bincode reader(bytes, std::move(what));
  UpdatePartition out;
  out.comm_c = reader.scalar("comm_c");
  reader.length("apex_leafs", setup.apex_leaves, "leaves");
  for (unsigned i = 0; i < setup.apex_leaves; ++i) {
    const Bincode::In in_leafs(reader, "apex_leafs");
    const Bincode::In in_leaf(reader, i);
    out.apex_leaves.push_back(reader.scalar("leaf"));
  }
  reader.length("challenge_proofs", setup.challenges, "challenges");
  CommonRoot root_r_old(out.root_r_old), root_r_new(out.root_r_new);
  for (unsigned i = 0; i < setup.challenges; ++i) {
    const Bincode::In in_proofs(reader, "challenge_proofs");
    const Bincode::In in_proof(reader, i);
    const auto opening = [&](std::string_view field, TreeShape shape, CommonRoot* root) {
      const Bincode::In in_field(reader, field);
      MerkleOpening read = read_opening(reader, shape, setup.nodes);
      if (root != nullptr) root->meet(reader, read.root);
      return read;
    };
    MerkleOpening r_old = opening("proof_r_old", setup.tree, &root_r_old);
    MerkleOpening d_new = opening("proof_d_new", binary, nullptr);
    MerkleOpening r_new = opening("proof_r_new", setup.tree, &root_r_new);
    out.challenges.push_back(
        {r_old.leaf, d_new.leaf, std::move(r_old.path), std::move(r_new.path), std::move(d_new.path)});
  }
  reader.end();
  return out;
}

}  // namespace pinion::filecoin
