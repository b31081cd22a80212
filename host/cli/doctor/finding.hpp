// What `doctor` says of one thing: its state, and what to do about it. The same words as pinion.health/1, which plugins
// use for what they depend on.
#pragma once

#include <string>
#include <vector>

namespace pinion::host::cli {

struct Finding {
  enum class Level { pass, warn, fail };  // good / works, slower or smaller than it could be / does not work
  Level level = Level::pass;
  std::string what;   // looked at: "locked memory"
  std::string found;  // its state: "limit 8 MiB"
  std::string fix;    // what to do; empty when nothing
};

using Findings = std::vector<Finding>;

}  // namespace pinion::host::cli
