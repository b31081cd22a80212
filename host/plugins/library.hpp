// A plugin's library in this process, behind the first two gates: the file is what it should be, and what it says of
// itself makes sense. Nothing of a plugin's code runs before its version tag was read from the file. A library is never
// unloaded: threads, thread-local destructors and static strings of a plugin outlive any moment at which unloading
// would be safe.
#pragma once

#include <pinion/plugin.h>

#include <memory>
#include <optional>
#include <pinion/host/base/status.hpp>
#include <pinion/host/plugins/manifest.hpp>
#include <string>
#include <vector>

namespace pinion::host {

struct OptionInfo {
  std::string key;
  std::uint32_t type = 0;                    // PINION_OPTION_
  std::optional<std::string> default_value;  // nothing: required
  std::string help;
  std::vector<std::string> choices;  // empty: any value of its type
};

// What a plugin says of itself, as owned values.
struct PluginInfo {
  std::string id, name, version, licence, description;
  std::vector<std::string> interfaces;
  std::vector<OptionInfo> options;
  std::uint16_t abi_major = 0, abi_minor = 0;
};

class Library {
 public:
  // Gates 1 and 2 of the plugin rules. Fails with invalid_config and one reason. [main]
  static Result<std::shared_ptr<const Library>> load(const Manifest& manifest);

  const Manifest& manifest() const noexcept { return manifest_; }
  const PluginInfo& info() const noexcept { return info_; }
  const pinion_plugin_entry& entry() const noexcept { return entry_; }

 private:
  Library(Manifest manifest, const pinion_plugin_entry& entry, PluginInfo info)
      : manifest_(std::move(manifest)), entry_(entry), info_(std::move(info)) {}

  Manifest manifest_;
  pinion_plugin_entry entry_;
  PluginInfo info_;
};

}  // namespace pinion::host
