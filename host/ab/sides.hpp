// What differs between two configurations, and whether a comparison in one process can be about it. Both sides share
// one set of residents, one budget, one set of devices and backend instances, since two of each would not fit; what
// those are made with must be the same.
#pragma once

#include <pinion/host/config/config.hpp>
#include <string>
#include <vector>

namespace pinion::host::ab {

enum class Effect {
  compared,  // this is what the run is about
  none,      // nothing of it takes part in proving here
  refused,   // it belongs to what both sides share
};

struct Difference {
  std::string key;   // "plugins.allocator", "plugin.alloc-x.strategy"
  std::string a, b;  // as written; "" where it is not
  Origin origin;     // where B states it, or A when B does not
  Effect effect = Effect::compared;
  bool of_allocator = false;  // an allocator, or an option of one
};

// In the order of the documentation, plugin tables last. [any]
std::vector<Difference> differences(const Config& a, const Config& b);

// What cannot differ, one problem each. [any]
std::vector<Problem> refusals(const std::vector<Difference>& differences);

// Sides that are equal, and settings that make none. [any]
std::vector<std::string> idle_differences(const std::vector<Difference>& differences);

}  // namespace pinion::host::ab
