// What the host is doing, at one instant, as plain values: the source of `--status`, of the daemon's status page and of
// `pinion memory`. Each part fills its own struct under its own lock, so that its sums agree. Nothing here computes.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/ids.hpp>
#include <pinion/host/base/units.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// The purpose of what a space keeps for critical work: part of its used bytes, and in nobody's use.
inline constexpr const char* kept_for_critical = "kept for critical work";

// Bytes held for one purpose by one owner.
struct HoldingStatus {
  std::string purpose;  // "evaluations a", "request body", "idle", …
  Owner owner;
  Bytes requested;      // what was asked for
  Bytes reserved;       // what is charged for it
  std::string kind;     // of a slab, as its allocator states: "pageable", "pinned"; "" for bytes that are not a slab
  std::string state{};  // of a slab: "allocating" (a fallback may make it another kind yet), "leased", "idle", "stuck",
                        // "releasing"
  std::string seen{};   // of a slab: its kind as the device it was last lent for knows it, "" where that is not known
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
  std::uint32_t priority = 0;
  std::uint64_t ticket = 0;
  Bytes bytes;  // asked of this space in all
  Duration waited{};
};

// One slab of the pool, idle or leased, and for what it was leased so far.
struct SlabStatus {
  Bytes bytes;
  std::string kind;  // as its allocator states
  std::uint64_t leases = 0;
  std::vector<std::string> labels;  // kinds of work, each once, in order of first use
  std::string stuck{};              // why the OS does not get it back before the process ends, naming the device
  std::string seen{};               // its kind as the device it was last lent for knows it
};

// Slabs that went from work of one label to work of another.
struct HandoverStatus {
  std::string from, to;
  std::uint64_t count = 0;
};

// Page-locked slabs, idle ones included: part of the host's used bytes, with a limit of their own.
struct PinnedStatus {
  Bytes limit;
  Bytes used;
  Bytes high_water;
};

// Slabs made at start, before anybody needs them.
struct WarmStatus {
  std::string state = "off";  // "off", "warming", "ready", "stopped"
  Bytes wanted;
  Bytes made;
  std::string reason;  // why it stopped
};

// Invariant: used = sum of holdings' reserved + sum of residents' bytes, and used <= budget.
struct SpaceStatus {
  std::string name;  // "host", "device 0"
  Bytes budget;
  std::string budget_source;  // what decided it: which figures, from which files
  Bytes used;
  Bytes high_water;     // of used
  Bytes idle;           // charged slabs that nobody leases
  Bytes stuck;          // slabs, idle or leased, that the OS does not get back before the process ends
  PinnedStatus pinned;  // of the host
  WarmStatus warm;      // of the host
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

struct DeviceStatus {
  std::string label;  // "backend-x device 0 (NVIDIA H200)"
  std::string address;
  bool usable = true;
  std::string reason;                            // why not usable
  std::uint32_t in_use = 0;                      // partitions
  std::uint64_t self_check_failures = 0;         // parts it made that did not verify
  std::optional<std::chrono::nanoseconds> busy;  // for how long it has computed; nothing: its backend does not say
  Bytes memory;                                  // of its own; 0: it works in host memory
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
  std::uint32_t priority = 0;
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

// What the kernel says that the process holds, to be compared with what is charged.
struct ProcessStatus {
  Bytes anonymous;  // heap and slabs
  Bytes shared;
  Bytes file;  // code and mapped files, which the kernel can drop
  Bytes peak;
  Bytes locked;  // by mlock; what a driver locks is not in this figure
};

struct Snapshot {
  std::string version;  // of pinion
  bool ready = true;    // false while slabs are being made at start
  std::optional<ProcessStatus> process;
  bool degraded = false;
  std::vector<std::string> notes;  // why degraded; sticky warnings
  std::vector<SpaceStatus> spaces;
  std::vector<DeviceStatus> devices;
  std::vector<JobStatus> jobs;
  std::vector<PluginStatus> plugins;
};

// Of the slabs that the OS does not get back, the bytes by the reason, which names the device. [any]
std::map<std::string, Bytes> stuck_by_reason(const SpaceStatus& space);
// Bytes of slabs that a device sees as another kind than their allocator states, by both:
// "stated pinned, the device sees pageable". [any]
std::map<std::string, Bytes> not_as_stated(const SpaceStatus& space);

// Byte counts are exact integers, durations milliseconds; text that is not UTF-8 has its bad bytes replaced. [any]
nlohmann::json to_json(const SpaceStatus& space);
nlohmann::json to_json(const Snapshot& snapshot);

// The same as JSON text, indented. [any]
std::string json_text(const Snapshot& snapshot);

}  // namespace pinion::host
