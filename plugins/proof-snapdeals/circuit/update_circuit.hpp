// The circuit of one SnapDeals partition (EmptySectorUpdate with a SHA-256 TreeD), once for rows and once for values.
// The order of allocations and rows is fixed by the published parameter files.
// Source: rust-fil-proofs storage-proofs-update src/{circuit,gadgets}.rs.
#pragma once

#include <pinion/circuit/merkle.hpp>
#include <pinion/snap/circuit/synthesis.hpp>
#include <vector>

namespace pinion::filecoin {

// What the statement leaves for the challenges.
struct UpdateBinding {
  circuit::Bits h_select;
  circuit::Num phi, root_r_old, root_r_new;
  std::vector<circuit::Num> apex_leaves;
  std::vector<circuit::Bits> nodes;  // challenged, lowest bit first
};

template <circuit::ConstraintSystem CS>
class UpdateCircuit {
 public:
  // All outlive the circuit.
  UpdateCircuit(CS& cs, const UpdateSetup& setup, const UpdateHashes& hashes)
      : cs_(cs), setup_(setup), hashes_(hashes) {}

  // Everything but the challenges, for partition k. `vanilla` fits the setup; where values are not kept its values are
  // not looked at.
  UpdateBinding statement(const UpdateStatement& statement, unsigned k, const UpdatePartition& vanilla) {
    UpdateBinding out;
    const Partition partition = state_partition(k, out);
    const Num comm_r_old = state_commitment(statement.comm_r_old);
    const Num comm_d_new = state_commitment(statement.comm_d_new);
    const Num comm_r_new = state_commitment(statement.comm_r_new);
    out.phi = generator_hash(comm_d_new, comm_r_old, "phi");
    const Num comm_c = circuit::alloc_num(cs_, vanilla.comm_c);
    out.root_r_old = circuit::alloc_num(cs_, vanilla.root_r_old);
    out.root_r_new = circuit::alloc_num(cs_, vanilla.root_r_new);
    out.apex_leaves = alloc_all(vanilla.apex_leaves);
    // The siblings above the apex root, the same for every challenge of the partition.
    const std::span<const Fr> path(vanilla.challenges.front().path_d_new.siblings);
    const std::vector<Num> above_apex = alloc_all(path.last(setup_.partition_bits()));
    bind_root(comm_c, out.root_r_old, comm_r_old);
    bind_root(comm_c, out.root_r_new, comm_r_new);
    bind_apex(out.apex_leaves, partition.bits, above_apex, comm_d_new);
    out.nodes = generate_challenges(partition, comm_r_new);
    return out;
  }

  // Challenge i < setup.challenges; the challenges follow the statement in order.
  void challenge(const UpdateBinding& binding, std::size_t i, const UpdateChallenge& challenge) {
    const circuit::Scope scope(cs_, "challenge", static_cast<std::int64_t>(i));
    const Bits& node = binding.nodes[i];
    const Num rho = generator_hash(binding.phi, high_bits(node, binding.h_select), "rho");
    const Num leaf_r_old = circuit::alloc_num(cs_, challenge.leaf_r_old);
    const Num leaf_d_new = circuit::alloc_num(cs_, challenge.leaf_d_new);
    const Num leaf_r_new = circuit::add(cs_, leaf_r_old, circuit::mul(cs_, leaf_d_new, rho));

    const std::vector<unsigned> arities = level_arities(setup_.tree, setup_.nodes);
    const circuit::PoseidonTree replica_tree{hashes_.trees};
    const auto in_replica = [&](const Num& leaf, const MerklePath& path, const Num& root) {
      circuit::enforce_inclusion(cs_, replica_tree, leaf, arities, node, alloc_all(path.siblings), root);
    };
    in_replica(leaf_r_old, challenge.path_r_old, binding.root_r_old);
    in_replica(leaf_r_new, challenge.path_r_new, binding.root_r_new);

    // Below the apex row TreeD is opened level by level; where that ends is a choice among the apex leaves.
    const std::span<const Boolean> bits(node);
    const unsigned below = setup_.levels_below_apex();
    const Num apex_leaf =
        circuit::select(cs_, std::span<const Num>(binding.apex_leaves), bits.subspan(below, setup_.apex_bits()));
    const std::vector<Num> siblings = alloc_all(std::span(challenge.path_d_new.siblings).first(below));
    const std::vector<unsigned> binary(below, 2);
    circuit::enforce_inclusion(cs_, circuit::Sha256Tree{}, leaf_d_new, binary, bits.first(below), siblings, apex_leaf);
  }

 private:
  using Num = circuit::Num;
  using Bits = circuit::Bits;
  using Boolean = circuit::Boolean;
  using Fr = bls::Fr;

  struct Partition {
    Bits bits;
    Num num;
  };

  // k and h_select share one public input; the partition's bits are repacked on their own, also when there are none.
  Partition state_partition(unsigned k, UpdateBinding& out) {
    const circuit::Scope scope(cs_, "k_and_h_select");
    const std::uint64_t packed = k | setup_.h_select() << setup_.partition_bits();
    const Num input = circuit::alloc_num(cs_, Fr::from_u64(packed));
    circuit::inputize(cs_, input);
    Bits bits;
    for (unsigned i = 0; i < setup_.partition_bits() + UpdateSetup::h_choices; ++i)
      bits.push_back(circuit::alloc_boolean(cs_, (packed >> i & 1) != 0));
    circuit::enforce_packed(cs_, bits, input);
    const auto split = bits.begin() + setup_.partition_bits();
    out.h_select.assign(split, bits.end());
    bits.erase(split, bits.end());
    const Num num = circuit::pack_bits(cs_, std::span<const Boolean>(bits));
    return {std::move(bits), num};
  }

  Num state_commitment(const Fr& value) {
    const Num num = circuit::alloc_num(cs_, value);
    circuit::inputize(cs_, num);
    return num;
  }

  Num generator_hash(const Num& a, const Num& b, std::string_view name) {
    const circuit::Scope scope(cs_, name);
    return circuit::poseidon_hash(cs_, hashes_.generator, std::array{a, b});
  }

  // comm_r = H(comm_c, root)
  void bind_root(const Num& comm_c, const Num& root, const Num& comm_r) {
    circuit::enforce_equal(cs_, circuit::poseidon_hash(cs_, hashes_.trees[2], std::array{comm_c, root}), comm_r);
  }

  // The apex leaves are a row of TreeD: their root leads to comm_d_new at the partition's place.
  void bind_apex(std::vector<Num> row, const Bits& partition, const std::vector<Num>& above, const Num& comm_d_new) {
    const circuit::Scope scope(cs_, "apex_gadget");
    while (row.size() > 1) {
      for (std::size_t i = 0; i < row.size() / 2; ++i)
        row[i] = circuit::sha256_node(cs_, std::span<const Num>(row).subspan(2 * i, 2));
      row.resize(row.size() / 2);
    }
    const std::vector<unsigned> arities(partition.size(), 2);
    circuit::enforce_inclusion(cs_, circuit::Sha256Tree{}, row[0], arities, partition, above, comm_d_new);
  }

  // Bits of every challenged node, lowest first, the partition's on top.
  std::vector<Bits> generate_challenges(const Partition& partition, const Num& comm_r_new) {
    const circuit::Scope scope(cs_, "gen_challenge_bits");
    const unsigned bits = setup_.challenge_bits();
    std::vector<Bits> out;
    for (unsigned j = 0; j < setup_.digests(); ++j) {
      const Bits digest = generate_digest(partition.num, comm_r_new, j);
      for (unsigned i = 0; i < setup_.challenges_per_digest() && out.size() < setup_.challenges; ++i) {
        const auto begin = digest.begin() + std::ptrdiff_t{i} * bits;
        Bits node(begin, begin + bits);
        node.insert(node.end(), partition.bits.begin(), partition.bits.end());
        out.push_back(std::move(node));
      }
    }
    return out;
  }

  // The 255 bits of digest j of the partition.
  Bits generate_digest(const Num& partition, const Num& comm_r_new, unsigned j) {
    const Fr digests = Fr::from_u64(setup_.digests());
    const Fr ordinal = Fr::from_u64(j);
    const Num index = circuit::alloc_num(cs_, partition.value * digests + ordinal);
    cs_.enforce([&](auto& lc) { lc.add(partition.variable, digests).add_constant(ordinal); },
                [](auto& lc) { lc.add_constant(circuit::fr_one); }, [&](auto& lc) { lc.add(index.variable); });
    const Num digest = circuit::poseidon_hash(cs_, hashes_.generator, std::array{comm_r_new, index});
    Bits bits = circuit::alloc_bits_of(cs_, digest.value);
    circuit::enforce_packed(cs_, bits, digest);
    return bits;
  }

  // The top h bits of a node as a number, for the one h that h_select names.
  Num high_bits(const Bits& node, const Bits& h_select) {
    const auto hs = setup_.hs();
    std::vector<Num> terms;
    Fr sum;
    for (unsigned i = 0; i < UpdateSetup::h_choices; ++i) {
      const Num high = circuit::pack_bits(cs_, std::span<const Boolean>(node).last(hs[i]));
      terms.push_back(circuit::alloc_num(cs_, h_select[i].value ? high.value : Fr::zero()));
      cs_.enforce([&](auto& lc) { lc.add(high.variable); }, [&](auto& lc) { add_boolean(lc, h_select[i]); },
                  [&](auto& lc) { lc.add(terms.back().variable); });
      sum += terms.back().value;
    }
    const Num selected = circuit::alloc_num(cs_, sum);
    cs_.enforce(
        [&](auto& lc) {
          for (const Num& term : terms) lc.add(term.variable);
        },
        [](auto& lc) { lc.add_constant(circuit::fr_one); }, [&](auto& lc) { lc.add(selected.variable); });
    return selected;
  }

  std::vector<Num> alloc_all(std::span<const Fr> values) {
    std::vector<Num> out;
    for (const Fr& value : values) out.push_back(circuit::alloc_num(cs_, value));
    return out;
  }

  CS& cs_;
  const UpdateSetup& setup_;
  const UpdateHashes& hashes_;
};

}  // namespace pinion::filecoin
