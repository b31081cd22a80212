// Gate 4: a plugin's options, from its own declarations and the operator's [plugin.ID] table to the array `create`
// gets. TOML never crosses the ABI.
#pragma once

#include <pinion/plugin.h>

#include <deque>
#include <pinion/host/config/plugin_options.hpp>
#include <pinion/host/plugins/library.hpp>
#include <span>
#include <string>
#include <vector>

namespace pinion::host {

// The declarations as the configuration layer checks them. [any]
std::vector<DeclaredOption> declared_options(const std::vector<OptionInfo>& options);

// Checked options with the texts they point to.
class PluginOptions {
 public:
  explicit PluginOptions(const std::vector<PluginOption>& checked);
  PluginOptions(const PluginOptions&) = delete;
  PluginOptions& operator=(const PluginOptions&) = delete;

  std::span<const pinion_option> view() const noexcept { return options_; }

 private:
  void set_list(pinion_option& option, const std::vector<std::string>& values);

  std::vector<PluginOption> checked_;
  std::deque<std::vector<const char*>> lists_;
  std::vector<pinion_option> options_;
};

}  // namespace pinion::host
