// What a configuration says of plugins against the plugins that are found, whether it uses them or not: a slip is told
// when it is written, not on the day its plugin is used first. Nothing of a plugin's is called here.
#pragma once

#include <map>
#include <pinion/host/config/config.hpp>
#include <pinion/host/plugins/search.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// The ids found, sorted; with `interface`, of plugins that offer it. [any]
std::vector<std::string> plugin_ids(const Catalog& catalog, std::string_view interface = "");

// What plugin `id` says to its [plugin.ID], which may be nullptr: nobody wrote one. No such plugin, a library that is
// refused, each option it does not take or lacks. Loads the library, in a process of its own first: one that crashes or
// hangs is refused and takes nobody with it. [main]
std::vector<Problem> check_table(const Catalog& catalog, const std::string& id, const PluginTable* table);

// The same of every plugin that is named or has a table, and each named one that is not found or does not offer what it
// is named for. [main]
std::vector<Problem> check_plugins(const Catalog& catalog, const Config& config);

}  // namespace pinion::host
