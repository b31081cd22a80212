// What somebody who wrote a key or a table that is not there probably meant. Each begins with "; ", or is empty.
#pragma once

#include <string>

namespace pinion::host {

// A key under a table that there is, or under none ("").
std::string hint_for_key(const std::string& table, const std::string& key);
std::string hint_for_table(const std::string& name);
// A whole path, as flags have it: "memory.budget".
std::string hint_for_path(const std::string& path);

}  // namespace pinion::host
