#include "synthesis.hpp"

#include <pinion/snap/circuit/update_circuit.hpp>

namespace pinion::filecoin {

using circuit::ShapeRecorder;
using circuit::WitnessWriter;

groth16::ShapeBuilder record_update(const UpdateSetup& setup, const UpdateHashes& hashes, Executor& executor,
                                    circuit::RowObserver* observer) {
  const UpdatePartition blank = UpdatePartition::blank(setup);
  ShapeRecorder recorder(observer);
  UpdateCircuit update(recorder, setup, hashes);
  const UpdateBinding binding = update.statement({}, 0, blank);
  for (std::size_t i = 0; i < blank.challenges.size(); ++i) {
    executor.check();
    executor.progress(i, blank.challenges.size());
    update.challenge(binding, i, blank.challenges[i]);
  }
  return recorder.finish();
}

void write_update_witness(const UpdateSetup& setup, const UpdateHashes& hashes, const UpdateStatement& statement,
                          unsigned k, const UpdatePartition& partition, const WitnessWriter::Position& end,
                          const WitnessWriter::Buffers& buffers, Executor& executor) {
  WitnessWriter head(buffers);
  const UpdateBinding binding = UpdateCircuit(head, setup, hashes).statement(statement, k, partition);
  const auto first = head.position();
  head.flush();
  circuit::write_equal_parts(buffers, first, end, partition.challenges.size(), executor,
                             [&](WitnessWriter& writer, std::uint64_t i) {
                               UpdateCircuit(writer, setup, hashes).challenge(binding, i, partition.challenges[i]);
                             });
}

}  // namespace pinion::filecoin
