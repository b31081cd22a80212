// From pinion.toml, the environment and flags to a Config, or to all problems at once. Reads text and files; asks
// nothing of the machine.
#pragma once

#include <map>
#include <optional>
#include <pinion/host/config/config.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// Values that depend on what this machine and this installation have; see plugin_defaults.hpp.
struct PluginDefaults {
  std::string allocator;
  std::vector<std::string> backends;
  std::vector<std::string> proofs;
  std::string because;  // "no device file /dev/…": shown as the origin
};

// A value from the command line: it wins over everything else.
struct FlagValue {
  std::string flag;  // "--allocator"
  std::string key;   // "plugins.allocator"
  std::string text;
};

struct ConfigFile {
  std::string name;  // for messages
  std::string text;
};

struct ConfigSources {
  std::string file;                                // name for messages; "" when there is no file
  std::string file_text;                           // its content
  std::map<std::string, std::string> environment;  // only PINION_… is looked at
  std::vector<FlagValue> flags;
  std::optional<ConfigFile> overlay;  // a file that was named as what shall differ: it wins over all of the above
  PluginDefaults defaults;
};

struct LoadedConfig {
  Config config;
  std::vector<Problem> problems;  // in the order of file lines, then variables, then flags

  bool ok() const noexcept { return problems.empty(); }
};

// The overlay wins over flags, these over the environment, which wins over the file, which wins over defaults. A key
// with a problem keeps the value of the source below. Never throws for what the sources contain. [main]
LoadedConfig load_config(const ConfigSources& sources);

// A whole file. invalid_config: not there, not readable, not a file, larger than 1 MiB. [main]
Result<ConfigFile> read_config_file(const std::string& path);
// The same into file and file_text. [main]
Status read_config_file(const std::string& path, ConfigSources& sources);

// Every key with its default, in the order of the documentation: "memory.budget". For docs, completion and tests. [any]
struct KeyInfo {
  std::string key;
  std::string default_text;  // as TOML; "" when it depends on the machine
  std::string help;
};
std::vector<KeyInfo> config_keys();

}  // namespace pinion::host
