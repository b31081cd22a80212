// The configuration as `config show` prints it and as `config check` answers.
#pragma once

#include <pinion/host/config/load.hpp>
#include <pinion/host/config/machine.hpp>
#include <string>

namespace pinion::host {

// Valid TOML that loads to the same values, the origin of each as a comment; secrets are masked. `notes` come first, as
// comments: the budget and threads this machine makes of "auto". [any]
std::string config_text(const Config& config, const std::vector<std::string>& notes = {});

// {"memory": {"budget": {"value": "auto", "origin": "default"}, …}, …, "plugin": {ID: {…}}}, indented. [any]
std::string config_json(const Config& config, const std::vector<std::string>& notes = {});

// [{"file", "line", "column", "key", "seen", "message"}, …], indented. [any]
std::string problems_json(const std::vector<Problem>& problems);

}  // namespace pinion::host
