// Which way each kind of proof takes: job format, backend, devices, allocator. Decided once at start, so that a
// combination that cannot work is refused then and not at the first proof.
#pragma once

#include <map>
#include <pinion/host/config/config.hpp>
#include <pinion/host/pipeline/devices.hpp>
#include <pinion/host/plugins/registry.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// For one kind: what it would be proved with.
struct RouteLine {
  std::string kind, format, allocator, backend;
  std::vector<std::uint32_t> devices;  // the backend's own numbers
  bool direct = false;                 // the devices read the allocator's memory without a copy
  std::string refused;                 // "" or why this kind cannot be proved here
  std::string text() const;            // "demo-1k -> alloc-heap -> backend-x[0,1] direct"
};

// The devices a kind may be proved on, in order of preference, and the job format each would get.
struct Route {
  std::vector<std::uint32_t> devices;
  std::map<std::uint32_t, std::string> formats;  // by device
};

// What a configuration says of the way. Refers to what outlives it.
struct RouteRules {
  const std::vector<std::shared_ptr<AllocatorPlugin>>& allocators;  // as in Registry
  const PluginsConfig& plugins;                                     // require_dma, and where each value stands
  const std::vector<std::string>& backends;  // ids, in order of preference; fewer than plugins.backends where none is
                                             // wanted
  const Setting<std::string>& job_format;    // "auto", or the short name of the only format wanted; see short_format
  std::vector<std::string> unused_backends;  // found, for who lacks one
};

class Routes {
 public:
  // invalid_config, with every reason: an allocator's memory that a backend does not accept, or must copy under
  // require_dma; no kind that can be proved. [main]
  static Result<Routes> check(const Registry& registry, const Devices& devices, const RouteRules& rules);

  // Empty for a kind that cannot be proved here. [any]
  const Route& route(const std::string& kind) const;

  const std::vector<RouteLine>& lines() const noexcept { return lines_; }
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  std::map<std::string, Route> routes_;
  std::vector<RouteLine> lines_;
  std::vector<std::string> warnings_;
  friend class RouteCheck;
};

// "witness" of "pinion.job.SCHEME-witness.CURVE/1". [any]
std::string short_format(const std::string& format);

}  // namespace pinion::host
