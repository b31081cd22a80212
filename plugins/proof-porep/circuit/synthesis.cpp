#include "synthesis.hpp"

#include <pinion/circuit/synthesis.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>

namespace pinion::filecoin {

using circuit::ShapeRecorder;
using circuit::WitnessWriter;

groth16::ShapeBuilder record_porep(const PorepSetup& setup, const circuit::PoseidonSet& hashes, Executor& executor,
                                   circuit::RowObserver* observer) {
  const VanillaPartition blank = VanillaPartition::blank(setup);
  ShapeRecorder recorder(observer);
  PorepCircuit<ShapeRecorder> porep(recorder, setup, hashes);
  const auto statement = porep.statement(blank);
  const auto start = recorder.mark();
  // All challenges have the same rows; only an observer has to be shown each.
  const std::size_t recorded = observer ? blank.challenges.size() : 1;
  for (std::size_t i = 0; i < recorded; ++i) {
    executor.check();
    executor.progress(i, blank.challenges.size());
    porep.challenge(statement, i, blank.challenges[i]);
  }
  if (!observer) recorder.repeat(start, blank.challenges.size() - 1, executor);
  return recorder.finish();
}

void write_porep_witness(const PorepSetup& setup, const circuit::PoseidonSet& hashes, const VanillaPartition& partition,
                         const WitnessWriter::Position& end, const WitnessWriter::Buffers& buffers,
                         Executor& executor) {
  WitnessWriter head(buffers);
  const auto statement = PorepCircuit<WitnessWriter>(head, setup, hashes).statement(partition);
  const auto first = head.position();
  head.flush();
  circuit::write_equal_parts(
      buffers, first, end, partition.challenges.size(), executor, [&](WitnessWriter& writer, std::uint64_t i) {
        PorepCircuit<WitnessWriter>(writer, setup, hashes).challenge(statement, i, partition.challenges[i]);
      });
}

}  // namespace pinion::filecoin
