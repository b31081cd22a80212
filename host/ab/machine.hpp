// The machine a comparison ran on: what it is, how fast it is right now, and what this process holds of it.
#pragma once

#include <pinion/host/ab/record.hpp>

namespace pinion::host::ab {

// Processor, cores, NUMA nodes, huge pages, governor, load average, kernel: as found, each by the file it stands in. A
// fact that cannot be read is left out. `root` as in config/machine.hpp. [any]
std::vector<Fact> machine_facts(const std::string& root = "");

// Seconds of a fixed piece of work on one thread, arithmetic and memory in equal parts: the best of a few, about 20 ms
// in all. [main]
double control_seconds();

// The largest resident set since reset_peak, in bytes; 0 where /proc does not say. [any]
std::uint64_t peak_resident();
// Kernels that forbid it leave the peak of the whole process. [any]
void reset_peak();

}  // namespace pinion::host::ab
