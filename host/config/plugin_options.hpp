// The options a plugin declares, checked against its [plugin.ID] table once it is loaded.
#pragma once

#include <map>
#include <optional>
#include <pinion/host/config/config.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct DeclaredOption {
  std::string key;
  OptionRule rule;                          // boolean, integer, size, duration, text or list
  std::optional<std::string> default_text;  // in the operator's spelling; nothing: the key is required
  std::string help;
};

struct PluginOption {
  std::string key;
  OptionType type = OptionType::text;
  OptionValue value;
  Origin origin;
};

struct CheckedOptions {
  std::vector<PluginOption> options;  // every declared option, in the order of declaration
  std::vector<Problem> problems;

  bool ok() const noexcept { return problems.empty(); }
};

// `table` may be nullptr: nobody wrote any. Problems name a key `prefix`KEY; "" stands for "plugin.ID.". A default that
// its own rule refuses is a problem too: the plugin's, not the operator's, and the message says so. [main]
CheckedOptions check_options(const std::string& plugin_id, const std::vector<DeclaredOption>& declared,
                             const PluginTable* table, std::string prefix = "");

}  // namespace pinion::host
