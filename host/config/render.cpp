#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pinion/host/config/render.hpp>

#include "schema.hpp"

namespace pinion::host {
namespace {

using nlohmann::json;

constexpr const char* kHidden = "(hidden)";

std::string value_text(const KeySpec& spec, const Config& config) {
  const auto value = spec.value(config);
  if (!value) return "\"auto\"";
  const std::string text = option_text(*value);
  return spec.secret && text != "\"\"" ? option_text(OptionValue(std::string(kHidden))) : text;
}

json scalar_json(const RawScalar& scalar) {
  return std::visit(
      [](const auto& value) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Unfit>) {
          return "(" + value.type + ")";
        } else {
          return value;
        }
      },
      scalar);
}

json raw_json(const RawValue& raw) {
  if (const RawScalar* scalar = std::get_if<RawScalar>(&raw.value)) return scalar_json(*scalar);
  json items = json::array();
  for (const RawScalar& item : std::get<std::vector<RawScalar>>(raw.value)) items.push_back(scalar_json(item));
  return items;
}

json value_json(const KeySpec& spec, const Config& config) {
  const auto value = spec.value(config);
  if (!value) return "auto";
  return std::visit(
      [&](const auto& held) -> json {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, Bytes> || std::is_same_v<T, Duration>) {
          return exact_text(held);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return spec.secret && !held.empty() ? std::string(kHidden) : held;
        } else {
          return held;
        }
      },
      *value);
}

std::string dump(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace);
}

// A bare TOML key, or a quoted one.
std::string key_text(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? key : option_text(OptionValue(key));
}

}  // namespace

std::string config_text(const Config& config, const std::vector<std::string>& notes) {
  std::string out;
  for (const std::string& note : notes) out += "# " + note + "\n";
  std::string table;
  const auto line = [&out](const std::string& assignment, const std::string& origin) {
    out += fmt::format("{:<48} # {}\n", assignment, origin);
  };
  for (const KeySpec& spec : config_schema()) {
    if (spec.table != table) {
      table = spec.table;
      out += fmt::format("{}[{}]\n", out.empty() ? "" : "\n", table);
    }
    line(spec.key + " = " + value_text(spec, config), spec.origin(config).text());
  }
  for (const auto& [id, options] : config.plugin_tables) {
    out += fmt::format("\n[plugin.{}]\n", key_text(id));
    for (const auto& [key, value] : options.values) line(key_text(key) + " = " + value.text(), value.origin.text());
  }
  return out;
}

std::string config_json(const Config& config, const std::vector<std::string>& notes) {
  json out = json::object();
  for (const KeySpec& spec : config_schema()) {
    out[spec.table][spec.key] = {{"value", value_json(spec, config)}, {"origin", spec.origin(config).text()}};
  }
  out["plugin"] = json::object();
  for (const auto& [id, options] : config.plugin_tables) {
    json& table = out["plugin"][id] = json::object();
    for (const auto& [key, value] : options.values) {
      table[key] = {{"value", raw_json(value)}, {"origin", value.origin.text()}};
    }
  }
  out["notes"] = notes;
  return dump(out);
}

std::string problems_json(const std::vector<Problem>& problems) {
  json out = json::array();
  for (const Problem& problem : problems) {
    json item = {
        {"key", problem.key}, {"seen", problem.seen}, {"message", problem.message}, {"origin", problem.origin.text()}};
    if (problem.origin.source == Origin::Source::file) {
      item["file"] = problem.origin.name;
      item["line"] = problem.origin.line;
      item["column"] = problem.origin.column;
    }
    out.push_back(std::move(item));
  }
  return dump(out);
}

}  // namespace pinion::host
