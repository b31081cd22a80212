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
  circuit::record_equal_parts(recorder, blank.challenges.size(), executor,
                              [&](std::uint64_t i) { porep.challenge(statement, i, blank.challenges[i]); });
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
