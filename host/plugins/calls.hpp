// Who makes the pinion_call that a long plugin function gets. The bridge implements it; adapters only ask for one.
#pragma once

#include <pinion/host.h>

#include <memory>
#include <pinion/host/base/ids.hpp>
#include <pinion/host/report/spans.hpp>
#include <stop_token>

namespace pinion::host {

// One call into a plugin. Its destructor takes back what the plugin leaked, and reports it.
class PluginCall {
 public:
  virtual ~PluginCall() = default;
  virtual const pinion_call* table() const noexcept = 0;
};

struct CallSetup {
  Owner owner;                     // the plugin that is called, and for which job and partition
  std::uint32_t first_device = 0;  // the host's number of what the plugin calls device 0
  std::uint32_t device_count = 0;  // 0: it has no devices, and so no space but the host's
  std::stop_token stop;
  SpanId parent;               // what the plugin's spans are part of
  std::uint32_t priority = 0;  // of the job: PINION_PRIORITY_, 0 for none
  std::string label{};         // what the work is: the id of a kind
};

class CallMaker {
 public:
  virtual ~CallMaker() = default;
  virtual std::unique_ptr<PluginCall> make_call(const CallSetup& setup) = 0;  // [any]
};

}  // namespace pinion::host
