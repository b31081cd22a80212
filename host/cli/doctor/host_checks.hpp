// What an open host says of itself: plugins and the devices they found, routes, parameter files.
#pragma once

#include <filesystem>
#include <pinion/host/cli/doctor/finding.hpp>
#include <pinion/host/pipeline/prover.hpp>
#include <vector>

namespace pinion::host::cli {

// The budget that was decided at the start; what became of a larger one is a warning of the host's.
Finding examine_budget(const Prover& prover);

// Each loaded plugin, and what it finds of the things it depends on. [main]
Findings examine_plugins(const Prover& prover);

// Each device, and each warning the host has had since its start. [main]
Findings examine_devices(const Prover& prover);

// A slab of each allocator, as the first usable device of each backend sees it: no other device is touched. Nothing of
// devices that do not say. [main]
Findings examine_slabs(const Prover& prover);

// The parameter files of `kinds` in `folder`, by presence and size alone: `params check` reads them whole. Kinds that
// share a state share a line. [any]
Findings examine_parameters(const std::vector<const Kind*>& kinds, const std::filesystem::path& folder);

}  // namespace pinion::host::cli
