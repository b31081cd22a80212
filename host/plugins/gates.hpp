// The checks of a library and of what it says of itself, each with its own reason. They catch mistakes, not attacks: a
// plugin that passes runs in this process with all its rights.
#pragma once

#include <pinion/plugin.h>

#include <pinion/host/plugins/library.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// Gate 1. Absolute path, regular file, not writable by others (nor its folder), digest as in the manifest if it states
// one, right machine, exactly one export, and a version tag this host can load. Runs no code of the plugin. [main]
Status check_file(const Manifest& manifest);

// Gate 2. The entry's own fields, then everything it points to: present, valid, short, and the manifest's id, version
// and interfaces. [main]
Result<PluginInfo> check_entry(const pinion_plugin_entry& entry, const Manifest& manifest);

// A list of declared options, each present, valid, short and declared once. [any]
Result<std::vector<OptionInfo>> read_options(const pinion_option_info* const* theirs, std::uint32_t count,
                                             const std::string& plugin);

}  // namespace pinion::host
