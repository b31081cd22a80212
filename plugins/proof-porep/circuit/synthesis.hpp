// The PoRep circuit run through both models: its shape, and the packed witness of a partition.
#pragma once

#include <pinion/circuit/poseidon.hpp>
#include <pinion/circuit/shape_recorder.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/circuit/witness_writer.hpp>
#include <pinion/executor.hpp>
#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/groth16/shape.hpp>
#include <pinion/groth16/shape_builder.hpp>
#include <pinion/porep/vanilla.hpp>

namespace pinion::filecoin {

// Records the circuit of one partition; finish() and write() of the result make the shape. The 32 GiB circuit takes
// a few seconds and holds one challenge. Serial; progress counts challenges. [worker]
groth16::ShapeBuilder record_porep(const PorepSetup& setup, const circuit::PoseidonSet& hashes, Executor& executor,
                                   circuit::RowObserver* observer = nullptr);

// Fills buffers of the shape's sizes, the bitmap zeroed, with the assignment of `partition` (misfit() is empty). The
// challenges are written at once. Whether the values satisfy the circuit is not looked at. `end`: where a complete
// witness of the shape ends (circuit::end_of); std::logic_error when this circuit's does not. [worker]
void write_porep_witness(const PorepSetup& setup, const circuit::PoseidonSet& hashes, const VanillaPartition& partition,
                         const circuit::WitnessWriter::Position& end, const circuit::WitnessWriter::Buffers& buffers,
                         Executor& executor);

}  // namespace pinion::filecoin
