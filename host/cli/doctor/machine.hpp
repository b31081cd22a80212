// What of the machine matters to a prover: processor, locked memory, huge pages, NUMA, GPUs and their links. Reads
// /proc and /sys only: no driver is loaded, nothing is changed, no plugin is asked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <pinion/host/cli/doctor/finding.hpp>

namespace pinion::host::cli {

// Each looks below `root` ("/" in production, a made-up tree in tests), and gives one finding or one for each device.
// Files that are missing or unreadable are a finding, never an error. [any]
Finding examine_processor(const std::filesystem::path& root);
Finding examine_huge_pages(const std::filesystem::path& root);
Finding examine_numa(const std::filesystem::path& root);
Findings examine_gpus(const std::filesystem::path& root);

// `limit` is RLIMIT_MEMLOCK's soft limit in bytes; RLIM_INFINITY is the largest value. A process with CAP_IPC_LOCK is
// not held by it. [any]
Finding examine_locked_memory(std::uint64_t limit, const std::filesystem::path& root);
std::uint64_t locked_memory_limit();

}  // namespace pinion::host::cli
