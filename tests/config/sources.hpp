// Configurations for tests: a text as file p.toml, with made-up plugins as defaults.
#pragma once

#include <pinion/host/config/load.hpp>

namespace pinion::host::test {

inline ConfigSources toml(std::string text) {
  ConfigSources sources;
  sources.file = "p.toml";
  sources.file_text = std::move(text);
  sources.defaults = {"alloc-x", {"backend-x", "backend-y"}, {"proof-x"}, "there is no /dev/x"};
  return sources;
}

}  // namespace pinion::host::test
