#include <algorithm>
#include <numeric>
#include <pinion/filecoin/identity.hpp>
#include <pinion/porep/fake/fake.hpp>

namespace pinion::filecoin {
namespace {

using bls::Fr;

constexpr TreeShape binary{2, 0, 0};

}  // namespace

std::string FakeSeal::obstacle(const SealProof& proof) {
  if (proof.setup().rule == ChallengeRule::Interactive || proof.size() <= SectorSize::k8MiB) return {};
  return proof.name() +
         ": its challenges depend on every label of the sector, so that it cannot be made up without sealing it; up to "
         "8MiB it can, and V1_1 of this size has the same circuit and keys";
}

FakeSeal::FakeSeal(const SealProof& proof, std::uint64_t seed, const FakeIdentity& identity,
                   const circuit::PoseidonSet& hashes, Executor& executor)
    : proof_(proof),
      setup_(proof.setup()),
      graph_(setup_),
      filler_(seed),
      hashes_(hashes),
      poseidon_(poseidon_nodes(hashes)),
      data_(binary_level_arities(setup_.nodes), sha256_nodes(), filler_.row("data"), setup_.nodes),
      ticket_(filler_.bytes("ticket")),
      statement_{replica_id(prover_id(identity.miner_id), identity.sector_number, ticket_, root(data_).to_bytes(),
                            setup_.porep_id),
                 root(data_).to_bytes(),
                 {},
                 filler_.bytes("seed")},
      labels_(setup_, graph_, statement_.replica_id, filler_) {
  const auto nodes = nodes_to_label();
  labels_.compute(nodes, executor);
  std::vector<Fr> column_row, replica_row;
  for (unsigned phase = 0; phase < filler_period; ++phase) {
    const std::vector<Fr> labels = labels_.filler_column(phase);
    column_row.push_back(poseidon_(labels));
    replica_row.push_back(labels.back() + data_.node(0, phase));
  }
  const auto arities = level_arities(setup_.tree, setup_.nodes);
  filler_columns_.emplace(arities, poseidon_, column_row, setup_.nodes);
  filler_replica_.emplace(arities, poseidon_, replica_row, setup_.nodes);
  columns_.emplace(*filler_columns_, poseidon_);
  replica_.emplace(*filler_replica_, poseidon_);
  for (const std::uint64_t node : nodes) {
    columns_->set(node, poseidon_(labels_.column(node)));
    replica_->set(node, labels_.label(setup_.layers, node) + data_.node(0, node));
  }
  columns_->close(executor);
  replica_->close(executor);
  statement_.comm_r = hashes_[2].hash(std::array{root(*columns_), root(*replica_)}).to_bytes();
}

std::vector<std::uint64_t> FakeSeal::nodes_to_label() const {
  std::vector<std::uint64_t> nodes;
  if (setup_.rule != ChallengeRule::Interactive) {
    nodes.resize(setup_.nodes);
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
  }
  for (unsigned k = 0; k < setup_.partitions; ++k) {
    const auto challenges = porep_challenges(setup_, statement_, k);
    nodes.insert(nodes.end(), challenges.begin(), challenges.end());
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

void FakeSeal::write_c1(const std::function<void(std::string_view)>& write, Executor& executor) const {
  C1Writer out;
  out.raw("{\"registered_proof\":\"").raw(proof_.name()).raw("\",\"vanilla_proofs\":{\"").raw(proof_.vanilla_name());
  out.raw("\":");
  for (unsigned k = 0; k < setup_.partitions; ++k) {
    out.raw(k == 0 ? "[" : ",");
    std::string_view separator = "[";
    for (const std::uint64_t node : porep_challenges(setup_, statement_, k)) {
      executor.check();
      write_challenge(out.raw(separator), node);
      separator = ",";
    }
    out.raw("]");
    write(out.take());
    executor.progress(k + 1, setup_.partitions);
  }
  out.raw("]},\"comm_r\":").bytes(statement_.comm_r).raw(",\"comm_d\":").bytes(statement_.comm_d);
  out.raw(",\"replica_id\":").bytes(statement_.replica_id).raw(",\"seed\":").bytes(statement_.seed);
  out.raw(",\"ticket\":").bytes(ticket_).raw("}");
  write(out.take());
}

void FakeSeal::write_challenge(C1Writer& out, std::uint64_t node) const {
  const auto column = [&](std::uint64_t at) {
    out.column(at, labels_.column(at), open_leaf(*columns_, at), setup_.tree, setup_.nodes);
  };
  const auto columns = [&](const auto& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      out.raw(i == 0 ? "[" : ",");
      column(nodes[i]);
    }
    out.raw("]");
  };
  out.raw("{\"comm_d_proofs\":").opening(open_leaf(data_, node), binary, setup_.nodes);
  out.raw(",\"comm_r_last_proof\":").opening(open_leaf(*replica_, node), setup_.tree, setup_.nodes);
  out.raw(",\"replica_column_proofs\":{\"c_x\":");
  column(node);
  out.raw(",\"drg_parents\":");
  columns(graph_.drg_parents(node));
  out.raw(",\"exp_parents\":");
  columns(graph_.expander_parents(node));
  out.raw("},\"labeling_proofs\":");
  for (unsigned layer = 1; layer <= setup_.layers; ++layer)
    out.raw(layer == 1 ? "[" : ",").labelling(labels_.parents(layer, node), layer, node);
  out.raw("],\"encoding_proof\":").labelling(labels_.parents(setup_.layers, node), setup_.layers, node).raw("}");
}

}  // namespace pinion::filecoin
