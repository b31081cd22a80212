// Running a circuit: once for its shape, then for each witness. A circuit here is any callable that takes a constraint
// system by reference.
#pragma once

#include <cstdint>
#include <pinion/executor.hpp>
#include <pinion/groth16/shape_builder.hpp>
#include <pinion/groth16/witness.hpp>
#include <stdexcept>
#include <vector>

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
