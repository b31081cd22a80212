#include "witness_checks.hpp"

#include <catch2/catch.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/porep/c1.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test_circuit/gadget_vectors.hpp>
#include <pinion/test_circuit/witness_checks.hpp>

namespace pinion::test {

using filecoin::PorepSetup;
using filecoin::VanillaPartition;
using filecoin::test::Case;

namespace {

struct Input {
  PorepSetup setup;
  std::vector<VanillaPartition> partitions;
};

// A case without a registered proof holds vanilla proofs alone; its commitments stand in meta.json.
std::optional<Input> read_input(const Case& c) {
  const auto meta = filecoin::test::meta_of(c);
  const auto bytes = filecoin::test::input_of(c);
  if (!meta || !bytes) return std::nullopt;
  if (std::string_view(c.file) != "vanilla.json") {
    auto c1 = filecoin::read_c1(*bytes);
    return Input{c1.proof.setup(), std::move(c1.partitions)};
  }
  const PorepSetup setup = filecoin::test::toy_setup(*meta);
  Input input{setup, filecoin::read_vanilla_proofs(*bytes, setup)};
  for (auto& partition : input.partitions) {
    partition.replica_id = fr_from_hex(meta->at("replica_id"));
    partition.comm_d = fr_from_hex(meta->at("comm_d"));
    partition.comm_r = fr_from_hex(meta->at("comm_r"));
  }
  return input;
}

}  // namespace

void check_witnesses(const Case& c) {
  INFO(c.folder);
  const auto input = read_input(c);
  if (!input) return;
  ThreadExecutor executor;
  const auto hashes = filecoin::porep_hashes();
  const auto shape = groth16::build(filecoin::record_porep(input->setup, hashes, executor), executor);
  for (std::size_t k = 0; k < input->partitions.size(); ++k) {
    if (!has_witness(c.folder, k)) continue;
    const VanillaPartition& partition = input->partitions[k];
    REQUIRE(misfit(partition, input->setup) == "");
    check_witness_of(c.folder, k, *shape, [&](const circuit::WitnessWriter::Buffers& buffers, Executor& threads) {
      write_porep_witness(input->setup, hashes, partition, circuit::end_of(*shape), buffers, threads);
    });
  }
}

}  // namespace pinion::test
