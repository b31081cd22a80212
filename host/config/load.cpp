#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <pinion/host/config/load.hpp>
#include <pinion/printable.hpp>
#include <sstream>

#include "checks.hpp"
#include "hints.hpp"
#include "raw.hpp"
#include "schema.hpp"

namespace pinion::host {
namespace {

constexpr std::string_view option_prefix = "plugin.";

const KeySpec* find_key(const std::string& path) {
  const auto& schema = config_schema();
  const auto it = std::find_if(schema.begin(), schema.end(), [&](const KeySpec& spec) { return spec.path() == path; });
  return it == schema.end() ? nullptr : &*it;
}

class Loader {
 public:
  explicit Loader(const ConfigSources& sources) : sources_(sources) {}

  LoadedConfig load() {
    defaults();
    if (!sources_.file.empty()) file(sources_.file, sources_.file_text);
    environment();
    flags();
    if (sources_.overlay) file(sources_.overlay->name, sources_.overlay->text);
    for (Problem& problem : check_together(loaded_.config)) report(std::move(problem));
    sort_problems(loaded_.problems);
    return std::move(loaded_);
  }

 private:
  void report(Problem problem) { loaded_.problems.push_back(std::move(problem)); }

  void defaults() {
    for (const KeySpec& spec : config_schema()) {
      RawValue raw{RawScalar(spec.default_text), {}, true};
      if (spec.from_machine) {
        if (spec.key != "proofs") raw.origin.name = sources_.defaults.because;
        if (spec.key == "allocator") raw.value = RawScalar(sources_.defaults.allocator);
        if (spec.key == "backends")
          raw.value = RawScalar(fmt::format("{}", fmt::join(sources_.defaults.backends, ",")));
        if (spec.key == "proofs") raw.value = RawScalar(fmt::format("{}", fmt::join(sources_.defaults.proofs, ",")));
      }
      set(spec, raw);
    }
  }

  void set(const KeySpec& spec, const RawValue& raw) {
    if (spec.may_be_auto && raw.text() == "\"auto\"") {
      spec.store(loaded_.config, std::nullopt, raw.origin);
      return;
    }
    const Result<OptionValue> value = parse_option(spec.rule, raw);
    if (value) {
      spec.store(loaded_.config, *value, raw.origin);
      return;
    }
    std::string message = value.status().message();
    if (spec.may_be_auto && !message.ends_with('?')) {
      const std::size_t found = message.starts_with("expected") ? message.find(", found ") : std::string::npos;
      message.insert(std::min(found, message.size()), ", or \"auto\"");
    }
    report({raw.origin, spec.path(), spec.secret ? "(hidden)" : raw.text(), std::move(message)});
  }

  void file(const std::string& name, const std::string& text) {
    RawDocument document = read_toml(name, text);
    for (Problem& problem : document.problems) report(std::move(problem));
    const std::vector<std::string> tables = config_tables();
    for (RawTable& table : document.tables) {
      if (table.name.starts_with(option_prefix)) {
        plugin(std::move(table));
      } else if (table.name.empty()) {
        loose(table);
      } else if (std::find(tables.begin(), tables.end(), table.name) == tables.end()) {
        report({table.origin, table.name, "", "there is no such table" + hint_for_table(table.name)});
      } else {
        known(table);
      }
    }
  }

  void known(const RawTable& table) {
    for (const RawKey& key : table.keys) {
      const std::string path = table.name + "." + key.key;
      if (const KeySpec* spec = find_key(path)) {
        set(*spec, key.value);
      } else {
        report({key.origin, path, key.value.text(),
                fmt::format("there is no such key in [{}]", table.name) + hint_for_key(table.name, key.key)});
      }
    }
  }

  void loose(const RawTable& table) {
    const std::vector<std::string> tables = config_tables();
    for (const RawKey& key : table.keys) {
      const bool is_table =
          key.key.starts_with(option_prefix) || std::find(tables.begin(), tables.end(), key.key) != tables.end();
      report({key.origin, key.key, key.value.text(),
              is_table ? fmt::format("is a table: write its keys under [{}]", shown(key.key))
                       : "stands outside any table" + hint_for_key("", key.key)});
    }
  }

  void plugin(RawTable table) {
    PluginTable& out = loaded_.config.plugin_tables[table.name.substr(option_prefix.size())];
    out.origin = table.origin;
    for (RawKey& key : table.keys) out.values.insert_or_assign(std::move(key.key), std::move(key.value));
  }

  // A variable that is nearly one of ours is refused: dropped without a word it would be found months later.
  void environment() {
    static const std::vector<std::string> others{"PINION_PLUGIN_PATH", "PINION_VECTORS", "PINION_BLST",
                                                 "PINION_CONFIG"};
    std::vector<std::string> known;
    for (const KeySpec& spec : config_schema()) known.push_back(spec.variable());
    for (const auto& [name, text] : sources_.environment) {
      if (!name.starts_with("PINION_") || std::find(others.begin(), others.end(), name) != others.end()) continue;
      const Origin origin{Origin::Source::environment, name, 0, 0};
      const auto it = std::find(known.begin(), known.end(), name);
      if (it != known.end()) {
        set(config_schema()[static_cast<std::size_t>(it - known.begin())], {RawScalar(text), origin, true});
      } else if (const auto near = nearest(name, known); near || in_a_table(name)) {
        report({origin, "", "",
                "sets nothing: there is no such key" + (near ? fmt::format("; did you mean {}?", *near) : "")});
      }
    }
  }

  static bool in_a_table(const std::string& variable) {
    const auto& schema = config_schema();
    return std::any_of(schema.begin(), schema.end(), [&](const KeySpec& spec) {
      const std::string whole = spec.variable();
      return variable.starts_with(whole.substr(0, whole.size() - spec.key.size()));
    });
  }

  void flags() {
    for (const FlagValue& flag : sources_.flags) {
      const Origin origin{Origin::Source::flag, flag.flag, 0, 0};
      const RawValue value{RawScalar(flag.text), origin, true};
      if (const KeySpec* spec = find_key(flag.key))
        set(*spec, value);
      else if (!set_option(flag.key, value))
        report({origin, flag.key, "", "there is no such key" + hint_for_path(flag.key)});
    }
  }

  // "plugin.ID.KEY": which plugins and options there are is known once they are loaded.
  bool set_option(const std::string& path, const RawValue& value) {
    const std::size_t last = path.rfind('.');
    if (!path.starts_with(option_prefix) || last <= option_prefix.size() || last + 1 == path.size()) return false;
    const auto [table, fresh] =
        loaded_.config.plugin_tables.try_emplace(path.substr(option_prefix.size(), last - option_prefix.size()));
    if (fresh) table->second.origin = value.origin;
    table->second.values.insert_or_assign(path.substr(last + 1), value);
    return true;
  }

  const ConfigSources& sources_;
  LoadedConfig loaded_;
};

}  // namespace

LoadedConfig load_config(const ConfigSources& sources) {
  return Loader(sources).load();
}

Result<ConfigFile> read_config_file(const std::string& path) {
  constexpr std::uintmax_t kLargest = 1 << 20;
  const auto refuse = [&](const std::string& why) { return Status(Code::invalid_config, shown(path) + ": " + why); };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return refuse("no such configuration file");
  if (!std::filesystem::is_regular_file(status)) return refuse("is not a file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return refuse(error.message());
  if (size > kLargest) return refuse(fmt::format("has {} bytes; a configuration has at most {}", size, kLargest));
  std::ifstream in(path, std::ios::binary);
  if (!in) return refuse(std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) return refuse("cannot be read");
  return ConfigFile{path, text.str()};
}

Status read_config_file(const std::string& path, ConfigSources& sources) {
  auto file = read_config_file(path);
  if (!file) return file.status();
  sources.file = std::move(file->name);
  sources.file_text = std::move(file->text);
  return {};
}

std::vector<KeyInfo> config_keys() {
  std::vector<KeyInfo> keys;
  const Config defaults = load_config({}).config;
  for (const KeySpec& spec : config_schema()) {
    const auto value = spec.value(defaults);
    keys.push_back({spec.path(), spec.from_machine ? "" : value ? option_text(*value) : "\"auto\"", spec.help});
  }
  return keys;
}

}  // namespace pinion::host
