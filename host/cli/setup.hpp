// From flags to a configuration: what every verb that touches plugins begins with.
#pragma once

#include <pinion/host/cli/outputs.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/config/load.hpp>
#include <pinion/host/plugins/search.hpp>
#include <string>
#include <vector>

namespace pinion::host::cli {

// The flags of such a verb. Fields are filled when CLI11 parses.
struct HostFlags {
  std::string config;                    // --config FILE; "" for none
  std::vector<std::string> plugin_path;  // --plugin-path DIR, several
  std::vector<std::string> set;          // --set KEY=VALUE, several
  std::vector<FlagValue> values;         // of flags that stand for one key: --allocator, --backend, --params
  OutputFlag trace{"--trace"};
  bool json = false;     // --json
  bool verbose = false;  // --verbose: the host's log down to its details
};

// --plugin-path, several. [main]
void add_plugin_path_flag(CLI::App& verb, HostFlags& flags);

// Declares --config, --plugin-path, --set and --verbose; `flags` outlives `verb`. [main]
void add_host_flags(CLI::App& verb, HostFlags& flags);

// Declares a flag that is another way to write `key`; `value` names what follows it in the help. [main]
void add_key_flag(CLI::App& verb, HostFlags& flags, const std::string& flag, const std::string& key,
                  const std::string& value, const std::string& help);

// --field, several: see parse_fields. [main]
void add_field_flag(CLI::App& verb, std::vector<std::string>& fields);

// A flag of a file to write; `output` outlives `verb`. [main]
void add_output_flag(CLI::App& verb, OutputFlag& output, const std::string& help);

// --json. [main]
void add_json_flag(CLI::App& verb, HostFlags& flags);

// What every verb that proves takes: --backend, --allocator, those of add_host_flags, --trace (what was done when, for
// Perfetto; OneShotHost writes it) and --json. [main]
void add_proving_flags(CLI::App& verb, HostFlags& flags);

// The configuration of file, environment and flags, with all that is wrong with it. invalid_config: the file cannot be
// read. usage: a --set is not KEY=VALUE. [main]
Result<LoadedConfig> read_config(const HostFlags& flags, std::optional<ConfigFile> overlay = std::nullopt);

// The same, or a refusal() of its problems. [main]
Result<Config> valid_config(const HostFlags& flags);

// Where these flags and this configuration look for plugins, in order. [main]
std::vector<SearchPlace> plugin_places(const HostFlags& flags, const Config& config);

}  // namespace pinion::host::cli
