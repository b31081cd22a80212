#include "raw.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <pinion/host/config/toml_depth.hpp>
#include <pinion/printable.hpp>
#include <regex>
#include <sstream>

namespace pinion::host {
namespace {

Origin origin_at(const std::string& file, const toml::source_region& region) {
  return {Origin::Source::file, file, region.begin.line, region.begin.column};
}

std::string type_text(toml::node_type type) {
  std::ostringstream out;
  out << type;
  return out.str();
}

RawScalar scalar_of(const toml::node& node) {
  if (const auto* value = node.as_boolean()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) return value->get();
  if (const auto* value = node.as_string()) return value->get();
  return Unfit{type_text(node.type())};
}

RawValue value_of(const std::string& file, const toml::node& node) {
  RawValue value;
  value.origin = origin_at(file, node.source());
  if (const toml::array* array = node.as_array()) {
    std::vector<RawScalar> items;
    for (const toml::node& item : *array) items.push_back(scalar_of(item));
    value.value = std::move(items);
  } else {
    value.value = scalar_of(node);
  }
  return value;
}

RawTable table_of(const std::string& file, std::string name, const toml::table& table, Origin origin) {
  RawTable out{std::move(name), std::move(origin), {}};
  for (const auto& [key, node] : table) {
    out.keys.push_back({std::string(key.str()), origin_at(file, key.source()), value_of(file, node)});
  }
  return out;
}

// Of a line `key = word` whose value lacks its quotes, what it should have been; else nothing.
std::string quotes_hint(const std::string& text, std::uint32_t line_number) {
  std::istringstream lines(text);
  std::string line;
  for (std::uint32_t i = 0; i < line_number; ++i) std::getline(lines, line);
  if (line.size() > 200) return "";  // matching takes stack by the letter
  static const std::regex bare(R"(\s*([A-Za-z0-9_-]+)\s*=\s*([0-9.]*[A-Za-z][^"'\[\]{}=#]*?)\s*(#.*)?)");
  std::smatch part;
  if (!std::regex_match(line, part, bare) || part.str(2) == "true" || part.str(2) == "false") return "";
  return fmt::format("; what is not a number, true or false stands in quotes: {} = {}", part.str(1),
                     in_quotes(part.str(2)));
}

}  // namespace

RawDocument read_toml(const std::string& file, const std::string& text) {
  RawDocument document;
  if (const auto line = line_of_too_deep_key(text)) {
    document.problems.push_back({{Origin::Source::file, file, static_cast<std::uint32_t>(*line), 1},
                                 "",
                                 "",
                                 fmt::format("a key of more than {} steps; no setting has so many", most_key_steps)});
    return document;
  }
  toml::table root;
  try {
    root = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    document.problems.push_back(
        {origin_at(file, error.source()), "", "",
         fmt::format("not valid TOML: {}{}", error.description(), quotes_hint(text, error.source().begin.line))});
    return document;
  }
  RawTable loose;
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      loose.keys.push_back({name, origin_at(file, key.source()), value_of(file, node)});
      continue;
    }
    if (name != "plugin") {
      document.tables.push_back(table_of(file, name, *table, origin_at(file, key.source())));
      continue;
    }
    for (const auto& [id, options] : *table) {
      const std::string path = "plugin." + std::string(id.str());
      if (const toml::table* inner = options.as_table()) {
        document.tables.push_back(table_of(file, path, *inner, origin_at(file, id.source())));
      } else {
        loose.keys.push_back({path, origin_at(file, id.source()), value_of(file, options)});
      }
    }
  }
  document.tables.push_back(std::move(loose));
  return document;
}

}  // namespace pinion::host
