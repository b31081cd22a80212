// Circuit shapes as host residents: made here, by recording the circuit into the buffer the host lends.
#pragma once

#include <pinion/resident.h>

#include <memory>
#include <pinion/circuit/poseidon.hpp>
#include <pinion/filecoin/sector.hpp>
#include <pinion/plugin/interfaces.hpp>
#include <string>

namespace pinion::filecoin {

// "shape of porep-32g": the id of the resource, and back. size_of_shape throws INVALID_INPUT for another id.
std::string shape_resource_id(SectorSize size);
SectorSize size_of_shape(const pinion_resource& resource);

// describe and load of pinion.resident/1; `device` must be the host (-1), else UNSUPPORTED. [worker]
pinion_resident_info describe_shape(const pinion_resource& resource, std::int32_t device);
// Throws INTERNAL when what was recorded is not the shape this plugin knows (circuit_facts.hpp).
std::unique_ptr<Resident> load_shape(const pinion_resource& resource, std::int32_t device,
                                     std::span<const std::uint8_t> source, const pinion_buffer* buffer,
                                     const circuit::PoseidonSet& hashes, Call& call);

}  // namespace pinion::filecoin
