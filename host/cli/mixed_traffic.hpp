// Jobs of several kinds at once on one host, and what came of it: how long each took, whether the budget held, and
// whether slabs of one kind served another. Ordinary kinds are submitted all at once; a critical kind's jobs one after
// another while the others run, as such jobs come. One job of each critical kind goes before all that, because a host
// with deadlines has its keys loaded before the first of them.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <pinion/host/pipeline/prover.hpp>
#include <stop_token>
#include <vector>

namespace pinion::host::cli {

struct TrafficKind {
  const Kind* kind = nullptr;
  ProveRequest request;
  unsigned jobs = 1;
};

struct KindFigures {
  std::string kind;
  bool critical = false;
  std::vector<std::chrono::nanoseconds> latencies;  // submission to verified proof, ascending
  std::vector<std::chrono::nanoseconds> starts;     // submission to first device step, ascending
  std::chrono::nanoseconds first_start{};           // the same of the job that loads a critical kind's keys
  std::chrono::nanoseconds longest_step{};          // on a device
  std::chrono::nanoseconds elapsed{};               // until the last of them was proven
  std::size_t alone = 0;                            // of a critical kind: submitted when all ordinary jobs had ended
  std::vector<Status> failures;
  std::size_t stopped = 0;  // begun or not when the operator ended all of it

  double per_hour() const;  // proven jobs, as long as there were any
};

struct TrafficFigures {
  std::vector<KindFigures> kinds;
  std::chrono::nanoseconds elapsed{};
  std::chrono::nanoseconds sampled{};  // longer: the first critical jobs, too
  std::uint64_t samples = 0;           // of used bytes
  std::uint64_t over = 0;              // of them, above the budget
  Bytes most_seen;
  std::vector<SpaceStatus> spaces;  // at the end, the host's first

  const SpaceStatus& host() const { return spaces.front(); }
  std::uint64_t slabs_shared() const;  // slabs there are that served several kinds
  std::uint64_t kind_changes() const;  // leases that took a slab over from another kind
  // All proven, no budget ever exceeded; else what the failures have in common, or internal.
  Status status() const;
  std::size_t stopped() const;  // jobs
  std::size_t proven() const;
};

// The share-th of ascending values by nearest rank; zero of none. [any]
std::chrono::nanoseconds quantile(const std::vector<std::chrono::nanoseconds>& ascending, double share);

// Runs all of it and waits; each proof is verified once more against its request. [main]
TrafficFigures run_traffic(Prover& prover, const std::vector<TrafficKind>& kinds, std::stop_token stop);

nlohmann::ordered_json to_json(const TrafficFigures& figures);

}  // namespace pinion::host::cli
