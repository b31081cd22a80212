// A partition to prove: the circuit of a C1 output and its witness, in memory. Also the secrets that its test key is
// made of.
#pragma once

#include <pinion/circuit/witness_writer.hpp>
#include <pinion/groth16/shape.hpp>
#include <pinion/groth16/toxic_waste.hpp>
#include <pinion/groth16/witness.hpp>
#include <pinion/porep/c1.hpp>
#include <string>
#include <vector>

namespace pinion::bench {

struct CircuitUnderTest {
  // Records the shape and writes the witness of partition `k` of the C1 file at `path` (.zst: decompressed). [worker]
  static CircuitUnderTest read(const std::string& path, std::size_t k, Executor& executor);

  groth16::Witness witness() const { return {inputs, bits, scalars}; }
  // Every aux as a scalar.
  std::vector<bls::Fr> plain(Executor& executor) const;

  groth16::OwnedShape shape;
  std::vector<bls::Fr> inputs, scalars;
  std::vector<std::uint64_t> bits;
};

}  // namespace pinion::bench
