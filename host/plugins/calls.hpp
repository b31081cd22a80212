// Who makes the pinion_call that a long plugin function gets. The bridge implements it; adapters only ask for one.
#pragma once

#include <pinion/host.h>

#include <memory>
#include <pinion/host/base/ids.hpp>
#include <stop_token>

namespace pinion::host {

// One call into a plugin. Its destructor takes back what the plugin leaked, and reports it.
class PluginCall {
 public:
  virtual ~PluginCall() = default;
  virtual const pinion_call* table() const noexcept = 0;
};

class CallMaker {
 public:
  virtual ~CallMaker() = default;
  // A call of `owner.plugin`, for `owner.job` and its partition. `first_space` is the host's number of what the plugin
  // calls device 0 (0: it has no devices). [any]
  virtual std::unique_ptr<PluginCall> make_call(const Owner& owner, std::uint32_t first_space,
                                                std::stop_token stop) = 0;
};

}  // namespace pinion::host
