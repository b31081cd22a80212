// The plugins of one host: those the configuration names, loaded, checked and created. Who is not named is not loaded.
// Order of the configuration is kept: backends are tried in it.
#pragma once

#include <map>
#include <memory>
#include <pinion/host/config/config.hpp>
#include <pinion/host/plugins/allocator.hpp>
#include <pinion/host/plugins/backend.hpp>
#include <pinion/host/plugins/proof.hpp>
#include <pinion/host/plugins/resident.hpp>
#include <pinion/host/plugins/search.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// Who makes the pinion_host a plugin lives with; the bridge implements it.
class HostTableMaker {
 public:
  virtual ~HostTableMaker() = default;
  virtual std::shared_ptr<const pinion_host> host_table(const std::string& plugin_id) = 0;
};

struct LoadedBackend {
  std::shared_ptr<BackendPlugin> backend;
  std::shared_ptr<ResidentPlugin> residents;  // nullptr: it keeps nothing loaded
};

struct LoadedProof {
  std::shared_ptr<ProofPlugin> proof;
  std::shared_ptr<ResidentPlugin> residents;
};

// What the configuration asks for and this machine does not give; something else that is named does its work.
struct Shortfall {
  std::string id;  // of the plugin
  std::string text;
};

class Registry {
 public:
  // Passes every named plugin through all gates. Whatever fails does not stop the others from being tried: the status
  // (invalid_config) has every reason, one a line. What says that it cannot work on this machine (unsupported, from its
  // `create`) is passed over when the configuration names another: a fallback, a further backend. Kinds of two proof
  // plugins must differ in their ids. All plugins are loaded here, serially, before any worker runs. [main]
  static Result<Registry> open(const Catalog& catalog, const PluginsConfig& config,
                               const std::map<std::string, PluginTable>& tables, HostTableMaker& hosts);

  // The configured allocator, then the one to fall back to, if any.
  const std::vector<std::shared_ptr<AllocatorPlugin>>& allocators() const noexcept { return allocators_; }
  const std::vector<LoadedBackend>& backends() const noexcept { return backends_; }
  const std::vector<LoadedProof>& proofs() const noexcept { return proofs_; }
  const std::vector<Shortfall>& shortfalls() const noexcept { return shortfalls_; }
  // Each once, in the order of their loading.
  const std::vector<std::shared_ptr<Instance>>& instances() const noexcept { return instances_; }

 private:
  Registry() = default;
  std::vector<std::shared_ptr<Instance>> instances_;
  std::vector<std::shared_ptr<AllocatorPlugin>> allocators_;
  std::vector<LoadedBackend> backends_;
  std::vector<LoadedProof> proofs_;
  std::vector<Shortfall> shortfalls_;
  friend class RegistryBuilder;
};

// One plugin through gates 1 to 4 and `create`: for commands that ask a single plugin something. [main]
Result<std::shared_ptr<Instance>> open_instance(const Catalog& catalog, const std::string& id,
                                                const std::map<std::string, PluginTable>& tables,
                                                HostTableMaker& hosts);

}  // namespace pinion::host
