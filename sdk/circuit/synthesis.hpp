// Running a circuit: once for its shape, then for each witness. A circuit here is any callable that takes a constraint
// system by reference.
#pragma once

#include <cstdint>
#include <pinion/executor.hpp>
#include <pinion/groth16/shape_builder.hpp>
#include <pinion/groth16/witness.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "num.hpp"
#include "shape_recorder.hpp"
#include "witness_writer.hpp"

namespace pinion::circuit {

// The shape of a circuit, in memory of its own. [worker]
template <class Circuit>
groth16::OwnedShape record_shape(Circuit&& circuit, Executor& executor, RowObserver* observer = nullptr) {
  ShapeRecorder recorder(observer);
  circuit(recorder);
  return groth16::build(recorder.finish(), executor);
}

// Records `count` (at least 1) parts of a circuit that have the same rows over their own variables and share all older
// ones: part(i) records one. Unless an observer has to be shown each, one is recorded and then repeated. [worker]
template <class Part>
void record_equal_parts(ShapeRecorder& recorder, std::uint64_t count, Executor& executor, Part&& part) {
  const auto start = recorder.mark();
  const std::uint64_t recorded = recorder.is_observed() ? count : 1;
  for (std::uint64_t i = 0; i < recorded; ++i) {
    executor.check();
    executor.progress(i, count);
    part(i);
  }
  recorder.repeat(start, count - recorded, executor);
}

// Where a complete witness of `shape` ends.
inline WitnessWriter::Position end_of(const groth16::Shape& shape) {
  return {shape.num_inputs(), shape.num_aux(), shape.num_scalars()};
}

// Fills buffers of the shape's sizes, the bitmap zeroed. Throws std::logic_error when the circuit does not have this
// shape (that is no matter of values). [worker]
template <class Circuit>
void write_witness(Circuit&& circuit, const groth16::Shape& shape, const WitnessWriter::Buffers& buffers) {
  WitnessWriter writer(buffers);
  circuit(writer);
  writer.flush();
  if (writer.position() != end_of(shape)) throw std::logic_error("circuit: its variables are not those of the shape");
}

// Fills what lies between `first` and `end` with `count` parts of a circuit that take the same numbers of variables
// each: part(writer, i) for each i, several at once, every one through a writer of its own. Throws std::logic_error
// when a part takes another number of variables; Unsatisfied (num.hpp) names the part. [worker]
template <class Part>
void write_equal_parts(const WitnessWriter::Buffers& buffers, const WitnessWriter::Position& first,
                       const WitnessWriter::Position& end, std::uint64_t count, Executor& executor, Part&& part) {
  const auto start = [&](std::uint64_t i) {
    const auto at = [&](std::uint64_t from, std::uint64_t to) {
      if (to < from || (to - from) % count != 0)
        throw std::logic_error("circuit: its parts are not equal parts of the shape");
      return from + (to - from) / count * i;
    };
    return WitnessWriter::Position{at(first.inputs, end.inputs), at(first.aux, end.aux),
                                   at(first.scalars, end.scalars)};
  };
  executor.for_each(count, [&](std::uint64_t i) {
    executor.check();
    WitnessWriter writer(buffers, start(i));
    try {
      part(writer, i);
    } catch (const Unsatisfied& error) {
      throw Unsatisfied("part " + std::to_string(i) + " of " + std::to_string(count) + ": " + error.what());
    }
    writer.flush();
    if (writer.position() != start(i + 1)) throw std::logic_error("circuit: its variables are not those of the shape");
  });
}

// A packed witness in memory of its own; for tests and tools (provers write into leased buffers).
class PackedWitness {
 public:
  explicit PackedWitness(const groth16::Shape& shape)
      : inputs_(shape.num_inputs()), bits_((shape.num_aux() + 63) / 64), scalars_(shape.num_scalars()) {}
  WitnessWriter::Buffers buffers() { return {inputs_, bits_, scalars_}; }
  groth16::Witness view() const { return {inputs_, bits_, scalars_}; }

 private:
  std::vector<Fr> inputs_;
  std::vector<std::uint64_t> bits_;
  std::vector<Fr> scalars_;
};

}  // namespace pinion::circuit
