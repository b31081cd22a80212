// Circuit shapes as host residents: made here, by recording the circuit into the buffer the host lends.
#pragma once

#include <pinion/resident.h>

#include <memory>
#include <pinion/plugin/interfaces.hpp>

#include "kind_table.hpp"

namespace pinion::filecoin {

// describe and load of pinion.resident/1; `device` must be the host (-1), else UNSUPPORTED. [worker]
pinion_resident_info describe_shape(const ProofKind& kind, std::int32_t device);
// Throws INTERNAL when what was recorded is not the shape that is known of this kind (circuit_facts.hpp).
std::unique_ptr<Resident> load_shape(const ProofKind& kind, std::int32_t device, std::span<const std::uint8_t> source,
                                     const pinion_buffer* buffer, Call& call);

}  // namespace pinion::filecoin
