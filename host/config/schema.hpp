// Every key of pinion.toml: its table, what it accepts, its default, its meaning and where its value goes. The one list
// from which loading, environment names, suggestions, `config show` and the documentation are made.
#pragma once

#include <functional>
#include <pinion/host/config/config.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct KeySpec {
  std::string table;
  std::string key;
  OptionRule rule;
  std::string default_text;  // as plain text; see RawValue::plain_text
  std::string help;
  bool may_be_auto = false;  // "auto" is accepted besides the rule's values
  bool secret = false;
  bool from_machine = false;  // the default depends on PluginDefaults
  // Stores a parsed value (nothing: "auto"), or reads it back.
  std::function<void(Config&, const std::optional<OptionValue>&, const Origin&)> store;
  std::function<std::optional<OptionValue>(const Config&)> value;
  std::function<const Origin&(const Config&)> origin;

  std::string path() const { return table + "." + key; }
  std::string variable() const;  // "PINION_MEMORY_BUDGET"
};

// In the order of the documentation. [any]
const std::vector<KeySpec>& config_schema();

// Tables in that order, "plugin" last. [any]
std::vector<std::string> config_tables();

}  // namespace pinion::host
