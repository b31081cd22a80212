// Checks of a circuit's witnesses against the digests the reference noted beside each case.
#pragma once

#include <functional>
#include <pinion/circuit/witness_writer.hpp>
#include <pinion/executor.hpp>
#include <pinion/groth16/shape.hpp>
#include <string>

namespace pinion::test {

// Writes the witness of a partition into buffers of the shape's sizes, the bitmap zeroed.
using WriteWitness = std::function<void(const circuit::WitnessWriter::Buffers&, Executor&)>;

// True where the case in `folder` (under the vectors) has a witness-K.json for this partition.
bool has_witness(const std::string& folder, std::size_t partition);

// Compares with it: public inputs, all variables, the vectors a, b and c; and the witness satisfies the circuit. Rows
// are evaluated in blocks, so a partition needs little more than its shape.
void check_witness_of(const std::string& folder, std::size_t partition, const groth16::Shape& shape,
                      const WriteWitness& write);

}  // namespace pinion::test
