// What the host is doing, at one instant, as plain values: the source of `--status`, of the daemon's status page and of
// `pinion memory`. Each part fills its own struct under its own lock, so that its sums agree. Nothing here computes.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/ids.hpp>
#include <pinion/host/base/units.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// Bytes held for one purpose by one owner.
struct HoldingStatus {
  std::string purpose;  // "evaluations a", "request body", "idle", …
  Owner owner;
  Bytes requested;   // what was asked for
  Bytes reserved;    // what is charged for it
  std::string kind;  // of a slab: "pageable", "pinned"; "" for bytes that are not a slab
};

struct ResidentStatus {
  std::string id;
  std::string plugin;
  std::string state;  // "loading", "ready", "unloading"
  Bytes bytes;        // in this space
  std::uint32_t users = 0;
  std::optional<Duration> idle;  // when nobody uses it
};

struct WaitingClaimStatus {
  Owner owner;
  int priority = 0;
  std::uint64_t ticket = 0;
  Bytes bytes;  // asked of this space in all
  Duration waited{};
};

// One slab of the pool, idle or leased, and for what it was leased so far.
struct SlabStatus {
  Bytes bytes;
  std::string kind;
  std::uint64_t leases = 0;
  std::vector<std::string> labels;  // kinds of work, each once, in order of first use
};

// Slabs that went from work of one label to work of another.
struct HandoverStatus {
  std::string from, to;
  std::uint64_t count = 0;
};

// Invariant: used = sum of holdings' reserved + sum of residents' bytes, and used <= budget.
struct SpaceStatus {
  std::string name;  // "host", "device 0"
  Bytes budget;
  Bytes used;
  Bytes high_water;  // of used
  Bytes idle;        // charged slabs that nobody leases
  std::vector<HoldingStatus> holdings;
  std::vector<ResidentStatus> residents;
  std::vector<WaitingClaimStatus> waiting;
  std::vector<SlabStatus> slabs;
  std::vector<HandoverStatus> handovers;
  std::uint64_t slabs_made = 0;
  std::uint64_t slabs_reused = 0;
  std::uint64_t slabs_released = 0;
  std::uint64_t fallback_uses = 0;  // leases served by another allocator than the configured one
  std::uint64_t resident_loads = 0;
  std::uint64_t resident_hits = 0;
  std::uint64_t evicted_residents = 0;
};

struct PartitionStatus {
  std::uint32_t index = 0;
  std::string state;  // the stage it is in, or "done", "failed"
  std::string device;
  std::uint32_t attempts = 0;
  Duration in_state{};
};

struct JobStatus {
  std::string id;
  std::string kind;
  std::string state;  // "queued", "running", "completed", "failed", "cancelled"
  std::string error;
  int priority = 0;
  Duration age{};
  std::vector<PartitionStatus> partitions;
};

struct PluginStatus {
  std::string id;
  std::string version;
  std::string path;
  std::string state;   // "running", "listed", "refused", "quarantined"
  std::string reason;  // why it is not running
  std::uint64_t strikes = 0;
};

struct Snapshot {
  std::string version;  // of pinion
  bool degraded = false;
  std::vector<std::string> notes;  // why degraded; sticky warnings
  std::vector<SpaceStatus> spaces;
  std::vector<JobStatus> jobs;
  std::vector<PluginStatus> plugins;
};

// Byte counts are exact integers, durations milliseconds; text that is not UTF-8 has its bad bytes replaced. [any]
nlohmann::json to_json(const SpaceStatus& space);
nlohmann::json to_json(const Snapshot& snapshot);

// The same as JSON text, indented. [any]
std::string json_text(const Snapshot& snapshot);

}  // namespace pinion::host
