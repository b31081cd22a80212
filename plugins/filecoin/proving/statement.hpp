// What a request asks to be proven, in the form every Filecoin proof has: partitions of one circuit, each with its
// public inputs and a way to write its witness. A proof plugin reads a request into one; ProofSession does the rest.
#pragma once

#include <cstdint>
#include <pinion/circuit/witness_writer.hpp>
#include <pinion/executor.hpp>
#include <string>
#include <vector>

namespace pinion::filecoin {

class Statement {
 public:
  virtual ~Statement() = default;
  virtual std::uint32_t partitions() const = 0;
  // Why the parts of it cannot be joined into a proof; empty when they can.
  virtual std::string parts_only() const { return {}; }
  // Of partition k, as the verifier derives them; ONE not among them. [worker]
  virtual std::vector<bls::Fr> public_inputs(std::uint32_t k) const = 0;
  // Fills buffers of the circuit's sizes, the bitmap zeroed, with the assignment of partition k. `end` is where it must
  // end. Partitions may be written at once. [worker]
  virtual void write_witness(std::uint32_t k, const circuit::WitnessWriter::Position& end,
                             const circuit::WitnessWriter::Buffers& buffers, Executor& executor) const = 0;
};

}  // namespace pinion::filecoin
