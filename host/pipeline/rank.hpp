// The order of everything that waits in the pipeline: priority, then age of the job, then partition. An urgent job
// passes at the next partition boundary; an old job is finished before a new one of its priority is begun, so that jobs
// complete instead of all being half done.
#pragma once

#include <compare>
#include <cstdint>

namespace pinion::host {

struct Rank {
  std::uint32_t priority = 0;  // larger goes first
  std::uint64_t job = 0;       // number of the job, in order of arrival
  std::uint32_t partition = 0;

  // Less: goes first.
  friend constexpr std::strong_ordering operator<=>(const Rank& a, const Rank& b) noexcept {
    if (const auto by_priority = b.priority <=> a.priority; by_priority != 0) return by_priority;
    if (const auto by_job = a.job <=> b.job; by_job != 0) return by_job;
    return a.partition <=> b.partition;
  }
  friend constexpr bool operator==(const Rank&, const Rank&) noexcept = default;
};

}  // namespace pinion::host
