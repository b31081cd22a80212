// Whether a plugin's library loads, tried in a process of its own: for those who list what they found, and must not
// run, crash or hang with it.
#pragma once

#include <pinion/host/base/status.hpp>
#include <pinion/host/plugins/manifest.hpp>

namespace pinion::host {

// What Library::load would say. Also invalid_config: it ended the process that loaded it, or took longer than ten
// seconds. Nothing stays loaded. [main]
Status try_load(const Manifest& manifest);

}  // namespace pinion::host
