#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <pinion/host/cli/setup.hpp>
#include <pinion/host/cli/usage.hpp>
#include <pinion/host/config/plugin_defaults.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

std::map<std::string, std::string> own_environment() {
  std::map<std::string, std::string> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (text.starts_with("PINION_") && equals != std::string_view::npos) {
      found.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return found;
}

Result<FlagValue> split_set(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Status(Code::usage,
                  fmt::format("--set {}: expected KEY=VALUE, such as --set memory.budget=64GiB", in_quotes(text)));
  }
  return FlagValue{"--set", text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

void add_plugin_path_flag(CLI::App& verb, HostFlags& flags) {
  verb.add_option("--plugin-path", flags.plugin_path, "look for plugins here first; may be given again")
      ->type_name("DIR");
}

void add_host_flags(CLI::App& verb, HostFlags& flags) {
  verb.add_option("--config", flags.config, "configuration file (pinion.toml)")->type_name("FILE");
  add_plugin_path_flag(verb, flags);
  verb.add_option("--set", flags.set, "a key of the configuration, as in --set memory.budget=64GiB; may be given again")
      ->type_name("KEY=VALUE");
  verb.add_flag("-v,--verbose", flags.verbose, "show the host's log in detail");
}

void add_key_flag(CLI::App& verb, HostFlags& flags, const std::string& flag, const std::string& key,
                  const std::string& value, const std::string& help) {
  verb.add_option_function<std::string>(
          flag,
          [&flags, flag, key](const std::string& text) {
            flags.values.push_back({flag, key, text});
          },
          help)
      ->type_name(value);
}

void add_field_flag(CLI::App& verb, std::vector<std::string>& fields) {
  verb.add_option("--field", fields, "a fact beside the input, as in --field miner_id=1000; may be given again")
      ->type_name("KEY=VALUE");
}

void add_output_flag(CLI::App& verb, OutputFlag& output, const std::string& help) {
  names_file(*verb.add_option(output.flag, output.name, help + "; '-': to standard output"));
}

void add_json_flag(CLI::App& verb, HostFlags& flags) {
  verb.add_flag("--json", flags.json, "print JSON");
}

void add_proving_flags(CLI::App& verb, HostFlags& flags) {
  add_key_flag(verb, flags, "--backend", "plugins.backends", "ID",
               "backend plugin; several with commas, tried in order");
  add_key_flag(verb, flags, "--allocator", "plugins.allocator", "ID", "allocator plugin");
  add_host_flags(verb, flags);
  add_output_flag(verb, flags.trace, "write what was done when, as a trace that ui.perfetto.dev shows");
  add_json_flag(verb, flags);
}

Result<LoadedConfig> read_config(const HostFlags& flags, std::optional<ConfigFile> overlay) {
  ConfigSources sources;
  if (!flags.config.empty()) {
    if (auto status = read_config_file(flags.config, sources); !status.ok()) return status;
  }
  sources.environment = own_environment();
  sources.flags = flags.values;
  for (const auto& text : flags.set) {
    auto value = split_set(text);
    if (!value) return value.status();
    sources.flags.push_back(*std::move(value));
  }
  sources.overlay = std::move(overlay);
  sources.defaults = plugin_defaults();
  return load_config(sources);
}

Result<Config> valid_config(const HostFlags& flags) {
  auto loaded = read_config(flags);
  if (!loaded) return loaded.status();
  if (!loaded->ok()) return refusal(loaded->problems);
  return std::move(loaded->config);
}

std::vector<SearchPlace> plugin_places(const HostFlags& flags, const Config& config) {
  const auto paths = [](const std::vector<std::string>& texts) {
    return std::vector<std::filesystem::path>(texts.begin(), texts.end());
  };
  return search_places(paths(flags.plugin_path), paths(*config.plugins.path));
}

}  // namespace pinion::host::cli
