#include <pinion/porep/circuit/create_label.hpp>
#include <pinion/porep/fake/labels.hpp>
#include <string>

namespace pinion::filecoin {

using bls::Fr;

FakeLabels::FakeLabels(const PorepSetup& setup, const StackedGraph& graph, const Bytes32& replica_id,
                       const Filler& filler)
    : setup_(setup), graph_(graph), replica_id_(replica_id) {
  for (unsigned layer = 1; layer <= setup.layers; ++layer)
    filler_.push_back(filler.row("label of layer " + std::to_string(layer)));
}

void FakeLabels::compute(const std::vector<std::uint64_t>& nodes, Executor& executor) {
  for (const std::uint64_t node : nodes) real_.emplace(node, std::vector<Fr>(setup_.layers));
  // A label's parents are earlier nodes of its layer and any nodes of the layer before.
  const std::uint64_t total = nodes.size() * setup_.layers;
  std::uint64_t done = 0;
  for (unsigned layer = 1; layer <= setup_.layers; ++layer) {
    for (const std::uint64_t node : nodes) {
      real_.at(node)[layer - 1] = create_label(layer, node);
      if (++done % 1024 != 0) continue;
      executor.check();
      executor.progress(done, total);
    }
  }
}

const Fr& FakeLabels::label(unsigned layer, std::uint64_t node) const {
  const auto found = real_.find(node);
  return found == real_.end() ? filler_[layer - 1][node % filler_period] : found->second[layer - 1];
}

std::vector<Fr> FakeLabels::column(std::uint64_t node) const {
  std::vector<Fr> out;
  for (unsigned layer = 1; layer <= setup_.layers; ++layer) out.push_back(label(layer, node));
  return out;
}

std::vector<Fr> FakeLabels::filler_column(unsigned phase) const {
  std::vector<Fr> out;
  for (const std::vector<Fr>& row : filler_) out.push_back(row[phase]);
  return out;
}

std::vector<Fr> FakeLabels::parents(unsigned layer, std::uint64_t node) const {
  std::vector<Fr> out;
  for (const std::uint64_t parent : graph_.drg_parents(node)) out.push_back(label(layer, parent));
  if (layer > 1)
    for (const std::uint64_t parent : graph_.expander_parents(node)) out.push_back(label(layer - 1, parent));
  for (std::size_t i = 0; out.size() < label_parents; ++i) out.push_back(Fr(out[i]));
  return out;
}

Fr FakeLabels::create_label(unsigned layer, std::uint64_t node) const {
  std::vector<std::uint8_t> message(replica_id_.begin(), replica_id_.end());
  const auto append = [&](const auto& bytes) { message.insert(message.end(), bytes.begin(), bytes.end()); };
  message.reserve(64 + 32 * label_parents);
  append(std::array<std::uint8_t, 4>{0, 0, 0, static_cast<std::uint8_t>(layer)});
  append(big_endian(node));
  message.resize(64);
  if (node != 0)  // the first node of a layer has none
    for (const Fr& parent : parents(layer, node)) append(parent.to_bytes());
  Bytes32 label = sha256({message});
  label[31] &= 0x3f;
  return *Fr::from_bytes(label);
}

}  // namespace pinion::filecoin
