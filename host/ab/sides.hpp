// What differs between two configurations, and whether a comparison in one process can be about it. Both sides share
// one set of residents, one budget, one set of devices and backend instances, since two of each would not fit; what
// those are made with must be the same.
#pragma once

#include <functional>
#include <pinion/host/config/plugin_options.hpp>
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
  std::string a, b;  // "" where nobody says: it is neither written nor declared, or that side has no use for it
  Origin origin;     // where B states it, or A when B does not
  Effect effect = Effect::compared;
  bool of_allocator = false;  // an allocator, or an option of one
};

// Of the keys that the host knows, in the order of the documentation. [any]
std::vector<Difference> host_differences(const Config& a, const Config& b);

// What a plugin declares; empty when that cannot be told.
using DeclaredFn = std::function<std::vector<DeclaredOption>(const std::string& plugin)>;

// Of the plugins' own options. One that is written as its default is does not differ from one that is not written.
// [any]
std::vector<Difference> plugin_differences(const Config& a, const Config& b, const DeclaredFn& declared);

// What cannot differ, one problem each. [any]
std::vector<Problem> refusals(const std::vector<Difference>& differences);

// Sides that are equal, and settings that make none. [any]
std::vector<std::string> idle_differences(const std::vector<Difference>& differences);

}  // namespace pinion::host::ab
