#include <filesystem>
#include <pinion/host/config/plugin_defaults.hpp>
#include <stdexcept>

#include "plugin_defaults_text.hpp"
#include "raw.hpp"

namespace pinion::host {
namespace {

// The file is part of the build: what does not read as meant is a defect of the build.
template <class T>
T read_key(const RawTable& table, const std::string& key, OptionType type) {
  for (const RawKey& candidate : table.keys) {
    if (candidate.key != key) continue;
    OptionRule rule;
    rule.type = type;
    return std::get<T>(parse_option(rule, candidate.value).value());
  }
  throw std::logic_error("plugins/defaults.toml: no key " + key + " in [" + table.name + "]");
}

const RawTable& find_table(const RawDocument& document, const std::string& name) {
  for (const RawTable& table : document.tables) {
    if (table.name == name) return table;
  }
  throw std::logic_error("plugins/defaults.toml: no table [" + name + "]");
}

}  // namespace

PluginDefaults plugin_defaults(const std::string& root) {
  const RawDocument document = read_toml("plugins/defaults.toml", kPluginDefaultsText);
  const RawTable& device = find_table(document, "with_device");
  const auto file = read_key<std::string>(device, "device_file", OptionType::text);
  std::error_code error;
  const bool present = std::filesystem::exists(root + file, error);
  const RawTable& route = present ? device : find_table(document, "without_device");
  PluginDefaults defaults;
  defaults.because = (present ? "there is " : "there is no ") + file;
  defaults.allocator = read_key<std::string>(route, "allocator", OptionType::text);
  defaults.backends = read_key<std::vector<std::string>>(route, "backends", OptionType::list);
  defaults.proofs = read_key<std::vector<std::string>>(find_table(document, "always"), "proofs", OptionType::list);
  return defaults;
}

}  // namespace pinion::host
