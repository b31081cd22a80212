// What this machine grants the process: memory and CPUs, from /proc and the control groups, each figure with the file
// it came from; and the budget and thread count that follow from it and the configuration. `root` stands before every
// path
// ("" in production), so that tests can bring their own machine.
#pragma once

#include <pinion/host/config/config.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct MemoryFact {
  Bytes bytes;
  std::string source;  // the file it was read from, without `root`
};

struct MachineMemory {
  MemoryFact total;                  // MemTotal
  MemoryFact available;              // MemAvailable; bytes 0 on kernels without it
  std::optional<MemoryFact> cgroup;  // the tightest limit from the process's group up to the root, if any
  // Of the groups with a limit the least that is left of it, page cache not counted as used; none without a limit.
  std::optional<MemoryFact> cgroup_available;

  MemoryFact limit() const;                    // the tighter of total and cgroup
  std::optional<MemoryFact> free_now() const;  // the tighter of what is available; none where the kernel says neither
};

struct MachineThreads {
  std::uint32_t hardware = 0;          // CPUs online
  std::uint32_t affinity = 0;          // CPUs this process may run on
  std::optional<std::uint32_t> quota;  // of the tightest control group, rounded up
  std::string quota_source;
  std::uint32_t count() const;  // the least of them, at least 1
  std::string reason() const;   // "16 processors, 4 allowed to this process, quota of 2 from FILE"
};

// invalid_config: /proc or /sys cannot be read or is not what Linux documents; the message names the file. [any]
Result<MachineMemory> read_machine_memory(const std::string& root = "");
Result<MachineThreads> read_machine_threads(const std::string& root = "");

// A sentence where pipeline.threads asks for more than can run at once: they take turns, and what waits for all of them
// waits for the last. [any]
std::optional<std::string> thread_excess(const PipelineConfig& pipeline, const MachineThreads& machine);

struct BudgetDecision {
  Bytes budget;
  Bytes margin;        // kept free of the machine's limit
  std::string reason;  // one line: which figures, from which files
  Duration waited{};   // for memory, at start; see machine_start.hpp
  std::vector<std::string> warnings;
};

// The tightest of the configured budget and the machine's limit minus the margin. A safety_margin nobody set is at most
// half of the limit, so that small machines work. invalid_config: nothing is left; says which figures. [any]
Result<BudgetDecision> decide_budget(const MemoryConfig& memory, const MachineMemory& machine);

}  // namespace pinion::host
