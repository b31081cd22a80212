// The circuit of spacetime run through both models: its shape, and the packed witness of a partition.
#pragma once

#include <pinion/circuit/poseidon.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/post/vanilla.hpp>
#include <span>

namespace pinion::filecoin {

// The hashes of its trees; made once and shared.
inline circuit::PoseidonSet post_hashes() {
  return circuit::PoseidonSet{2, 8};
}

// Records the circuit of one partition; progress counts sectors. Serial. [worker]
groth16::ShapeBuilder record_post(const PostSetup& setup, const circuit::PoseidonSet& hashes, Executor& executor,
                                  circuit::RowObserver* observer = nullptr);

// Fills buffers of the shape's sizes, the bitmap zeroed, with the assignment of setup.sectors sectors, several at once.
// Whether the values satisfy the circuit is not looked at. `end`: where a complete witness of the shape ends;
// std::logic_error when this circuit's does not. [worker]
void write_post_witness(const PostSetup& setup, const circuit::PoseidonSet& hashes, std::span<const PostSector> sectors,
                        const circuit::WitnessWriter::Position& end, const circuit::WitnessWriter::Buffers& buffers,
                        Executor& executor);

}  // namespace pinion::filecoin
