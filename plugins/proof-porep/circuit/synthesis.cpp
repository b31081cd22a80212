#include "synthesis.hpp"

#include <pinion/circuit/synthesis.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <stdexcept>

namespace pinion::filecoin {

using circuit::ShapeRecorder;
using circuit::WitnessWriter;

groth16::ShapeBuilder record_porep(const PorepSetup& setup, const circuit::PoseidonSet& hashes, Executor& executor,
                                   circuit::RowObserver* observer) {
  const VanillaPartition blank = VanillaPartition::blank(setup);
  ShapeRecorder recorder(observer);
  PorepCircuit<ShapeRecorder> porep(recorder, setup, hashes);
  const auto statement = porep.statement(blank);
  for (std::size_t i = 0; i < blank.challenges.size(); ++i) {
    executor.check();
    executor.progress(i, blank.challenges.size());
    porep.challenge(statement, i, blank.challenges[i]);
  }
  return recorder.finish();
}

namespace {

// Where challenge `i` of `count` begins: between `first` and `end` all take equal parts.
WitnessWriter::Position start_of(std::size_t i, std::size_t count, const WitnessWriter::Position& first,
                                 const WitnessWriter::Position& end) {
  const auto at = [&](std::uint64_t from, std::uint64_t to) {
    if (to < from || (to - from) % count != 0) throw std::logic_error("PoRep: the shape is not that of this circuit");
    return from + (to - from) / count * i;
  };
  return {at(first.inputs, end.inputs), at(first.aux, end.aux), at(first.scalars, end.scalars)};
}

}  // namespace

void write_porep_witness(const PorepSetup& setup, const circuit::PoseidonSet& hashes, const VanillaPartition& partition,
                         const WitnessWriter::Position& end, const WitnessWriter::Buffers& buffers,
                         Executor& executor) {
  WitnessWriter head(buffers);
  const auto statement = PorepCircuit<WitnessWriter>(head, setup, hashes).statement(partition);
  const auto first = head.position();
  head.flush();
  const std::size_t count = partition.challenges.size();
  executor.for_each(count, [&](std::uint64_t i) {
    executor.check();
    WitnessWriter writer(buffers, start_of(i, count, first, end));
    PorepCircuit<WitnessWriter>(writer, setup, hashes).challenge(statement, i, partition.challenges[i]);
    writer.flush();
    if (writer.position() != start_of(i + 1, count, first, end))
      throw std::logic_error("PoRep: the shape is not that of this circuit");
  });
}

}  // namespace pinion::filecoin
