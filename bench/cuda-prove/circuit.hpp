// A partition to prove, of any family: its circuit and its witness, in memory.
#pragma once

#include <pinion/circuit/witness_writer.hpp>
#include <pinion/groth16/shape.hpp>
#include <pinion/groth16/witness.hpp>
#include <string>
#include <vector>

namespace pinion::bench {

struct CircuitUnderTest {
  // Records the shape and writes the witness of partition 0 of the input in `folder`, as `pinion sector fake` makes it.
  // Throws unless its public inputs are those that a verifier derives. [worker]
  static CircuitUnderTest read(const std::string& folder, Executor& executor);

  groth16::Witness witness() const { return {inputs, bits, scalars}; }
  // Every aux as a scalar.
  std::vector<bls::Fr> plain(Executor& executor) const;

  std::string kind;  // "snap-32g"
  groth16::OwnedShape shape;
  std::vector<bls::Fr> inputs, scalars;
  std::vector<std::uint64_t> bits;
};

}  // namespace pinion::bench
