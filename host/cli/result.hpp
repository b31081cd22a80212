// What a finished job looks like: to a person a table of stages and a few facts, to a program JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <pinion/host/cli/console.hpp>
#include <pinion/host/pipeline/request.hpp>
#include <pinion/host/report/snapshot.hpp>

namespace pinion::host::cli {

// How much memory it took.
struct MemoryUse {
  Bytes charged;  // most of the budget at one time
  Bytes kept;     // part of it that was kept for critical work, in nobody's use
  Bytes budget;
  Bytes resident;  // most RAM the process has had, code and libraries included
};
// Of the host's space in `snapshot`, and of this process. [any]
MemoryUse memory_use(const Snapshot& snapshot);

// "1.21 GiB charged at most, 1.00 GiB of it kept for critical work, of 18.5 GiB; …". [any]
std::string memory_text(const MemoryUse& memory);

// Stages with their times and shares of the whole, then proof, plugins, devices and memory. [main]
void print_result(Console& console, const ProveResult& result, const MemoryUse& memory);

// Several at a glance: the stages of the pipeline only, with a column for each. [main]
void print_results(Console& console, std::span<const ProveResult> results, const MemoryUse& memory);

// The same and the proof itself, bytes in hexadecimal, times in milliseconds. [any]
nlohmann::ordered_json to_json(const ProveResult& result, const MemoryUse& memory);

std::string hex_text(std::span<const std::uint8_t> bytes);

}  // namespace pinion::host::cli
