// Which plugins a configuration that names none uses: read from plugins/defaults.toml at build time, because the host
// itself knows no plugin by name.
#pragma once

#include <pinion/host/config/load.hpp>

namespace pinion::host {

// The first route whose device file exists under `root` ("" in production), and the proofs. [main]
PluginDefaults plugin_defaults(const std::string& root = "");

}  // namespace pinion::host
