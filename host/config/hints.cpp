#include "hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

// Where a key by this name does exist: the commonest mistake is a key under the wrong head.
std::string tables_with(const std::string& key) {
  std::vector<std::string> tables;
  for (const KeySpec& spec : config_schema()) {
    if (spec.key == key) tables.push_back("[" + spec.table + "]");
  }
  return fmt::format("{}", fmt::join(tables, " or "));
}

}  // namespace

std::string hint_for_key(const std::string& table, const std::string& key) {
  if (const auto near = nearest(key, keys_of(table))) return fmt::format("; did you mean \"{}\"?", *near);
  if (const std::string tables = tables_with(key); !tables.empty()) {
    return fmt::format("; did you mean it under {}?", tables);
  }
  std::vector<std::string> all;
  for (const KeySpec& spec : config_schema()) all.push_back(spec.key);
  if (const auto near = nearest(key, all))
    return fmt::format("; did you mean \"{}\" under {}?", *near, tables_with(*near));
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
  if (keys_of(table).empty()) {
    std::vector<std::string> paths;
    for (const KeySpec& spec : config_schema()) paths.push_back(spec.path());
    if (const auto near = nearest(path, paths)) return fmt::format("; did you mean \"{}\"?", *near);
    return key.empty() ? hint_for_key("", table) : hint_for_table(table);
  }
  return hint_for_key(table, key);
}

}  // namespace pinion::host
