// What a comparison measured, as plain values: everything the report is made of, and what --json prints whole, so that
// anybody can check its statistics. Nothing here computes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <pinion/host/ab/schedule.hpp>
#include <pinion/host/base/status.hpp>
#include <string>
#include <vector>

namespace pinion::host::ab {

enum class Load : std::uint8_t { idle, busy };  // what the other cores do meanwhile

struct StageTime {
  std::string path;         // "partition/synthesize/witness": names from the job's own span down
  double seconds = 0;       // summed over the partitions, which overlap
  std::uint64_t bytes = 0;  // moved within it; 0 when nobody counted
};

// A piece of host memory that was lent to a job: the kind that its maker states, and the kind that the device it was
// lent for knows it as, which is the true one.
struct BufferSeen {
  std::string purpose;
  std::string stated;
  std::string seen;  // "" where no device says
  std::uint64_t bytes = 0;

  const std::string& kind() const { return seen.empty() ? stated : seen; }
  bool as_stated() const { return seen.empty() || seen == stated; }
  bool operator==(const BufferSeen&) const = default;
};

// One job, proved and verified once.
struct Run {
  std::size_t job = 0;
  Load load = Load::idle;
  bool warm_up = false;  // the first of its turn: it makes the pool anew, and is not judged with the others
  double seconds = 0;    // from submission to the verified result
  std::vector<StageTime> stages;
  std::string proof;                  // sha256
  std::vector<std::string> devices;   // that made its parts, each once
  std::vector<std::string> formats;   // their job formats: "witness"
  std::uint64_t rss_peak = 0;         // of the process, while it ran
  std::uint64_t fallback_uses = 0;    // buffers made by another allocator than the side's
  std::optional<double> device_busy;  // share of its seconds in which its devices computed, where they all say so
  double load_bytes_per_second = 0;   // what the load generator got through meanwhile
  std::vector<BufferSeen> buffers;    // when somebody looked
};

struct TurnRecord {
  Turn turn;
  double control = 0;            // seconds of a fixed piece of work just before: the machine's own pace
  double swap_seconds = 0;       // the other side's pool back to the OS, this side's route in place
  std::uint64_t swap_bytes = 0;  // of that pool
  std::vector<Run> runs;
};

struct SideFacts {
  std::string file;
  std::vector<std::string> settings;             // those that differ: "plugins.allocator = \"x\""
  std::string allocator;                         // in use, and what it makes: "x (states pinned)"
  std::vector<std::vector<BufferSeen>> buffers;  // by job, the largest first
};

struct Fact {
  std::string name, value;
};

struct Record {
  std::uint64_t seed = 0;
  std::size_t pairs = 0;  // planned
  std::vector<Load> loads;
  std::vector<std::string> jobs;
  std::array<SideFacts, 2> sides;
  std::vector<Fact> machine;
  unsigned load_threads = 0;
  bool only_allocators = false;             // nothing but allocators and their options differs
  std::vector<std::string> silent_devices;  // whose backend does not say how busy they are
  std::vector<std::string> host_devices;    // that work in host memory, whatever its kind
  bool fixed_random = false;                // both sides' proofs must be the same bytes
  std::vector<TurnRecord> turns;
  Status ended;  // ok: all of it was done; else why it stopped early

  bool interrupted() const { return ended.code() == Code::cancelled; }
};

}  // namespace pinion::host::ab
