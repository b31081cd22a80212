#include "hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <pinion/host/config/option.hpp>
#include <pinion/printable.hpp>

#include "schema.hpp"

namespace pinion::host {
namespace {

std::vector<std::string> keys_of(const std::string& table) {
  std::vector<std::string> keys;
  for (const KeySpec& spec : config_schema()) {
    if (spec.table == table) keys.push_back(spec.key);
  }
  return keys;
}

// The name of a key, wherever it is, that this may have been meant for: the commonest mistake is a key under the wrong
// head.
std::optional<std::string> nearest_name(const std::string& key) {
  std::vector<std::string> names;
  for (const KeySpec& spec : config_schema()) names.push_back(spec.key);
  return nearest(key, names);
}

// Every key by that name, as `text` tells it: "A or B".
template <class Text>
std::string places(const std::string& name, Text text) {
  std::vector<std::string> all;
  for (const KeySpec& spec : config_schema())
    if (spec.key == name) all.push_back(text(spec));
  return fmt::format("{}", fmt::join(all, " or "));
}

}  // namespace

std::string hint_for_key(const std::string& table, const std::string& key) {
  if (const auto near = nearest(key, keys_of(table))) return fmt::format("; did you mean \"{}\"?", *near);
  if (const auto near = nearest_name(key))
    return fmt::format("; did you mean {} under {}?", *near == key ? "it" : in_quotes(*near),
                       places(*near, [](const KeySpec& spec) { return "[" + spec.table + "]"; }));
  if (table.empty()) return "";
  return fmt::format("; its keys are {}", fmt::join(keys_of(table), ", "));
}

std::string hint_for_table(const std::string& name) {
  if (name.find('-') != std::string::npos)
    return fmt::format("; options of a plugin stand under [plugin.{}]", shown(name));
  const std::vector<std::string> tables = config_tables();
  if (const auto near = nearest(name, tables)) return fmt::format("; did you mean [{}]?", *near);
  return fmt::format("; the tables are {}", fmt::join(tables, ", "));
}

std::string hint_for_path(const std::string& path) {
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string table = path.substr(0, dot);
  const std::string key = path.substr(std::min(dot + 1, path.size()));
  if (table == "plugin") return "; an option of a plugin is written plugin.ID.KEY, as in plugin.alloc-heap.huge_pages";
  if (table.find('-') != std::string::npos) return fmt::format("; did you mean \"plugin.{}\"?", printable(path));
  std::vector<std::string> paths;
  for (const KeySpec& spec : config_schema()) paths.push_back(spec.path());
  if (const auto near = nearest(path, paths)) return fmt::format("; did you mean \"{}\"?", *near);
  if (const auto near = nearest_name(key.empty() ? table : key))
    return fmt::format("; did you mean {}?", places(*near, [](const KeySpec& spec) { return in_quotes(spec.path()); }));
  const auto keys = keys_of(table);
  return keys.empty() ? hint_for_table(table) : fmt::format("; its keys are {}", fmt::join(keys, ", "));
}

}  // namespace pinion::host
