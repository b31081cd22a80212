// Further configurations of the same host, between which a comparison of two of them switches: each with its own
// allocators and routes, all on the same memory, residents, devices and backends. Private to prover*.cpp.
#pragma once

#include <pinion/host/pipeline/routes.hpp>
#include <pinion/host/plugins/registry.hpp>
#include <vector>

namespace pinion::host {

struct Alternative {
  std::vector<std::shared_ptr<AllocatorPlugin>> allocators;
  Routes routes;
};

// The backends of all configurations, each once, in the order of their first mention. [main]
std::vector<std::string> all_backends(const Config& config, const std::vector<Config>& alternatives);

// The allocators `config` names: those of `registry` where `first` has the same with the same options, else instances
// of their own. invalid_config, with every reason. [main]
Result<std::vector<std::shared_ptr<AllocatorPlugin>>> open_allocators(const Config& config, const Config& first,
                                                                      const Catalog& catalog, const Registry& registry,
                                                                      HostTableMaker& hosts);

}  // namespace pinion::host
