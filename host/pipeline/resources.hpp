// Who loads what a plan names, for one device: the backend what its table lists, else the proof plugin.
#pragma once

#include <pinion/host/memory/claim.hpp>
#include <pinion/host/pipeline/devices.hpp>
#include <pinion/host/plugins/registry.hpp>

namespace pinion::host {

struct ResourceLoaders {
  bool by_proof = false, by_backend = false;
};

// Adds to `claim` the residents that make `resource` usable on `device`: the proof plugin's first, if both load it.
// What has no file the proof plugin makes, so a backend that loads it needs the proof plugin's bytes, loaded before.
// unsupported: nobody loads its format. `calls` outlives every resident. [worker]
Result<ResourceLoaders> add_residents(Claim& claim, const Resource& resource, const LoadedProof& proof,
                                      const Device& device, CallMaker& calls);

}  // namespace pinion::host
