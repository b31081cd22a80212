// What the parts of bench-memory share: settings, clocks, medians, and the document they add to.
#pragma once

#include <pinion/allocator.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bench {

using Json = nlohmann::ordered_json;

struct Settings {
  std::string plugins;     // folder
  std::string driver;      // of alloc-pinned; "" for its default
  std::uint64_t slab = 0;  // bytes of one
  unsigned slabs = 4;
  unsigned repeats = 7;
  unsigned cores = 1;            // for the load
  bool device = false;           // there is one
  pinion_placement placement{};  // for the device, where there is one
};

// A way to make slabs, by plugin and options.
struct Way {
  std::string name;
  std::string plugin;
  std::map<std::string, std::string> options;
  bool needs_device = false;
};
std::vector<Way> all_ways(const Settings& settings);

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// {"median": …, "least": …, "most": …, "samples": […]}
inline Json summary(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {{"median", samples[samples.size() / 2]},
          {"least", samples.front()},
          {"most", samples.back()},
          {"samples", samples}};
}

Json machine_facts();
// Seconds to make and to give up slabs, one after another and all at once, for each way.
Json measure_strategies(const Settings& settings);
// GB/s of copies to and from the device for each kind of memory, idle and with every core copying.
Json measure_copies(const Settings& settings);
// How a runtime that did not make it sees each kind of memory, and what a refusal leaves behind.
Json examine_memory(const Settings& settings);

}  // namespace bench
