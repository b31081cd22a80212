// One partition from claim to a part that verifies: the stages in their order, and what each failure leads to.
#pragma once

#include <pinion/host/pipeline/stage.hpp>

namespace pinion::host {

struct AttemptRules {
  std::uint32_t retries = 1;  // after a part that does not verify
};

// Decisions, by what a stage fails with:
//   proof_invalid   a strike against the device; again from synthesis, on another device where there is one, at most
//                   `retries` times. From synthesis always: buffers are mostly gone, and a bad one may be the cause.
//   out_of_memory   idle things are evicted and the partition is tried once more
//   device_lost     the device is quarantined; again elsewhere, as long as any device is left
//   cancelled       ends; also whatever else fails once `stop` was requested
//   anything else   fails
// Whatever happens, nothing is held when it returns. [worker]
Result<Part> prove_partition(const StageContext& context, const std::shared_ptr<Opened>& opened, const Reach& reach,
                             const AttemptRules& rules);

}  // namespace pinion::host
