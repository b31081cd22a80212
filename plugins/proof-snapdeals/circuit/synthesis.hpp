// The SnapDeals circuit run through both models: its shape, and the packed witness of a partition.
#pragma once

#include <pinion/circuit/synthesis.hpp>
#include <pinion/snap/derivation.hpp>
#include <pinion/snap/vanilla.hpp>

namespace pinion::filecoin {

// What the circuit hashes with; made once and shared.
struct UpdateHashes {
  circuit::PoseidonSet trees{2, 8};
  circuit::Poseidon generator{2, circuit::Poseidon::Domain::generator};
};

// Records the circuit of one partition (all partitions have one shape); progress counts challenges. Serial. [worker]
groth16::ShapeBuilder record_update(const UpdateSetup& setup, const UpdateHashes& hashes, Executor& executor,
                                    circuit::RowObserver* observer = nullptr);

// Fills buffers of the shape's sizes, the bitmap zeroed, with the assignment of partition k. The challenges are written
// at once. Whether the values satisfy the circuit is not looked at. `end`: where a complete witness of the shape ends;
// std::logic_error when this circuit's does not. [worker]
void write_update_witness(const UpdateSetup& setup, const UpdateHashes& hashes, const UpdateStatement& statement,
                          unsigned k, const UpdatePartition& partition, const circuit::WitnessWriter::Position& end,
                          const circuit::WitnessWriter::Buffers& buffers, Executor& executor);

}  // namespace pinion::filecoin
