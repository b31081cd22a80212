// How the buffers of a plan are laid out: what the host lends for one partition, and where values go in it.
#pragma once

#include <pinion/groth16.h>
#include <pinion/memory.h>

#include <cstdint>
#include <pinion/circuit/witness_writer.hpp>
#include <pinion/groth16/witness.hpp>
#include <pinion/plugin/call.hpp>
#include <vector>

#include "circuit_facts.hpp"

namespace pinion::filecoin {

enum class JobFormat : std::uint8_t { witness, evaluations };

// Throws UNSUPPORTED for an id this plugin does not emit.
JobFormat job_format(std::string_view id);

// The buffers of one partition, in order.
//   witness       packed witness: scalars | bits | inputs
//   evaluations   a, b, c; plain witness: aux | inputs; packed witness, as above, for the time of synthesis
std::vector<pinion_buffer_need> buffer_needs(JobFormat format, const CircuitFacts& facts);

// The parts of a packed witness buffer. Throws INTERNAL when the buffer is shorter than its need.
circuit::WitnessWriter::Buffers packed_witness(const pinion_buffer& buffer, const CircuitFacts& facts);

// Where a complete packed witness ends.
circuit::WitnessWriter::Position end_of(const CircuitFacts& facts);
// The job payload of a packed witness that lies in `buffers`.
pinion_groth16_witness packed_payload(const circuit::WitnessWriter::Buffers& buffers, const CircuitFacts& facts,
                                      const bls::Fr& r, const bls::Fr& s);

// From a packed witness to the payload of the evaluations format: a, b, c and the plain witness, in `buffers` as
// buffer_needs(evaluations) orders them. `shape` is of this circuit and has C. [worker]
pinion_groth16_evaluations write_evaluations(const groth16::Witness& packed, const bls::Fr& r, const bls::Fr& s,
                                             const groth16::Shape& shape, const CircuitFacts& facts,
                                             std::span<const pinion_buffer> buffers, Executor& executor);

}  // namespace pinion::filecoin
