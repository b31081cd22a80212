// How much of the machine pinion may use: memory, its control group, the budget that follows; threads.
#pragma once

#include <pinion/host/cli/doctor/finding.hpp>
#include <pinion/host/config/config.hpp>
#include <string>

namespace pinion::host::cli {

// `root` stands before every path, "" in production. [any]
Finding examine_memory(const std::string& root = "");
// What the budget would be; where a host is open, it has one, and says so itself. [any]
Findings examine_budget(const MemoryConfig& memory, const std::string& root = "");
Finding examine_threads(const PipelineConfig& pipeline, const std::string& root = "");

}  // namespace pinion::host::cli
