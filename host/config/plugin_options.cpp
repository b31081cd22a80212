#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <pinion/host/config/plugin_options.hpp>

namespace pinion::host {

CheckedOptions check_options(const std::string& plugin_id, const std::vector<DeclaredOption>& declared,
                             const PluginTable* table, std::string prefix) {
  CheckedOptions checked;
  if (prefix.empty()) prefix = "plugin." + plugin_id + ".";
  std::vector<std::string> keys;
  for (const DeclaredOption& option : declared) {
    keys.push_back(option.key);
    RawValue raw{RawScalar(std::string()), {}, true};
    const bool written = table != nullptr && table->values.contains(option.key);
    if (written) {
      raw = table->values.at(option.key);
    } else if (option.default_text) {
      raw.value = RawScalar(*option.default_text);
    } else {
      checked.problems.push_back({table == nullptr ? Origin() : table->origin, prefix + option.key, "",
                                  fmt::format("is missing: the plugin requires it ({}): {}",
                                              option_type_name(option.rule.type), option.help)});
      continue;
    }
    const Result<OptionValue> value = parse_option(option.rule, raw);
    if (value) {
      checked.options.push_back({option.key, option.rule.type, *value, raw.origin});
    } else {
      checked.problems.push_back(
          {raw.origin, prefix + option.key, raw.text(),
           written ? value.status().message()
                   : "the plugin's own default is wrong, which is a fault of the plugin: " + value.status().message()});
    }
  }
  if (table == nullptr) return checked;
  for (const auto& [key, value] : table->values) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string message = fmt::format("{} declares no such option", plugin_id);
    if (const auto near = nearest(key, keys)) {
      // Typed on the command line a key of a plugin has its whole path; in the plugin's table it has its name alone.
      const bool whole = value.origin.source == Origin::Source::flag && prefix.starts_with("plugin.");
      message += fmt::format("; did you mean \"{}{}\"?", whole ? prefix : "", *near);
    } else if (keys.empty()) {
      message += "; it has none";
    } else {
      message += fmt::format("; it has {}", fmt::join(keys, ", "));
    }
    checked.problems.push_back({value.origin, prefix + key, value.text(), std::move(message)});
  }
  return checked;
}

}  // namespace pinion::host
