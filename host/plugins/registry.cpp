#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <pinion/host/plugins/options.hpp>
#include <pinion/host/plugins/registry.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {

Result<std::shared_ptr<Instance>> open_instance(const Catalog& catalog, const std::string& id,
                                                const std::map<std::string, PluginTable>& tables,
                                                HostTableMaker& hosts) {
  const auto manifest = catalog.find(id);
  if (!manifest) return manifest.status();
  auto library = Library::load(*manifest);
  if (!library) return library.status();
  const auto table = tables.find(id);
  const auto checked =
      check_options(id, declared_options((*library)->info().options), table == tables.end() ? nullptr : &table->second);
  if (!checked.ok()) return refusal(checked.problems);
  const PluginOptions options(checked.options);
  return Instance::create(std::move(*library), hosts.host_table(id), options.view());
}

class RegistryBuilder {
 public:
  RegistryBuilder(const Catalog& catalog, const PluginsConfig& config, const std::map<std::string, PluginTable>& tables,
                  HostTableMaker& hosts)
      : catalog_(catalog), config_(config), tables_(tables), hosts_(hosts) {}

  Result<Registry> build() {
    add_allocator(config_.allocator);
    if (*config_.fallback != "none") add_allocator(config_.fallback);
    for (const auto& id : *config_.backends) add_backend(id);
    for (const auto& id : *config_.proofs) add_proof(id);
    if (*config_.self_test) test_allocators();
    check_tables();
    check_kinds();
    check_devices();
    if (problems_.empty()) return std::move(registry_);
    return Status(all_typed_ ? Code::usage : Code::invalid_config, fmt::format("{}", fmt::join(problems_, "\n")));
  }

 private:
  // What opens as a Plugin of this id, or nothing and a problem more.
  template <class Plugin>
  std::shared_ptr<Plugin> open(const std::string& id, const Origin& named_by) {
    auto instance = instance_of(id, named_by);
    if (!instance) return nullptr;
    auto plugin = Plugin::open(std::move(instance));
    if (plugin) return *plugin;
    problem(id, named_by, plugin.status());
    return nullptr;
  }

  std::shared_ptr<Instance> instance_of(const std::string& id, const Origin& named_by) {
    for (const auto& instance : registry_.instances_)
      if (instance->id() == id) return instance;
    if (const auto failed = std::find(failed_.begin(), failed_.end(), id); failed != failed_.end()) return nullptr;
    auto instance = open_instance(catalog_, id, tables_, hosts_);
    if (!instance) {
      failed_.push_back(id);
      problem(id, named_by, instance.status());
      return nullptr;
    }
    registry_.instances_.push_back(*instance);
    return *instance;
  }

  void add_allocator(const Setting<std::string>& setting) {
    auto allocator = open<AllocatorPlugin>(*setting, setting.origin);
    if (!allocator) return;
    registry_.allocators_.push_back(std::move(allocator));
  }

  // Once the devices are known: a slab for the one that will be used first touches no other.
  void test_allocators() {
    const Placement placement = first_placement();
    for (const auto& allocator : registry_.allocators_) {
      const Status status = allocator->self_test(placement);
      const bool first = allocator->id() == *config_.allocator;
      if (!status.ok()) problem(allocator->id(), first ? config_.allocator.origin : config_.fallback.origin, status);
    }
  }

  Placement first_placement() const {
    for (const auto& loaded : registry_.backends_)
      for (const auto& device : loaded.backend->devices())
        if (device.ineligible.empty()) return device.placement();
    return {};
  }

  void add_backend(const std::string& id) {
    if (auto backend = open<BackendPlugin>(id, config_.backends.origin))
      registry_.backends_.push_back({std::move(backend), residents_of(id, config_.backends.origin)});
  }

  void add_proof(const std::string& id) {
    if (auto proof = open<ProofPlugin>(id, config_.proofs.origin))
      registry_.proofs_.push_back({std::move(proof), residents_of(id, config_.proofs.origin)});
  }

  std::shared_ptr<ResidentPlugin> residents_of(const std::string& id, const Origin& named_by) {
    auto instance = instance_of(id, named_by);
    if (!instance || !instance->offers(PINION_RESIDENT)) return nullptr;
    return open<ResidentPlugin>(id, named_by);
  }

  // [plugin.ID] of a plugin that is not used is likely a slip of the pen: its options have no effect.
  void check_tables() {
    for (const auto& [id, table] : tables_) {
      const auto is = [&wanted = id](const auto& instance) { return instance->id() == wanted; };
      if (std::any_of(registry_.instances_.begin(), registry_.instances_.end(), is)) continue;
      if (std::find(failed_.begin(), failed_.end(), id) != failed_.end()) continue;
      if (catalog_.find(id).ok()) continue;  // installed, only not used in this configuration
      std::vector<std::string> known;
      for (const auto& listed : catalog_.listed()) known.push_back(listed.manifest.id);
      const auto near = nearest(id, known);
      problem(fmt::format("{}: [plugin.{}]: there is no such plugin{}; there are: {}", table.origin.text(), shown(id),
                          near ? fmt::format("; did you mean \"{}\"?", *near) : std::string(), fmt::join(known, ", ")),
              table.origin.source == Origin::Source::flag);
    }
  }

  void check_kinds() {
    std::map<std::string, std::string> owners;
    for (const auto& loaded : registry_.proofs_)
      for (const Kind& kind : loaded.proof->kinds()) {
        const auto [at, fresh] = owners.emplace(kind.id, loaded.proof->id());
        if (!fresh)
          problem(fmt::format("the kind \"{}\" is offered by {} and by {}; leave one of them out of plugins.proofs",
                              kind.id, at->second, loaded.proof->id()));
      }
  }

  // Starting without a device and failing every job would hide the reason until the first proof.
  void check_devices() {
    if (registry_.backends_.empty()) return;
    std::vector<std::string> reasons;
    for (const auto& loaded : registry_.backends_) {
      const auto& backend = *loaded.backend;
      for (const auto& device : backend.devices()) {
        if (device.ineligible.empty()) return;
        reasons.push_back(fmt::format("{}: \"{}\" {}", backend.id(), device.name, device.ineligible));
      }
      if (backend.devices().empty())
        reasons.push_back(fmt::format("{}: no devices: {}", backend.id(),
                                      backend.why_none().empty() ? "no reason given" : backend.why_none()));
    }
    problem(fmt::format("no usable device; {}; to prove on the CPU name its backend in plugins.backends",
                        fmt::join(reasons, "; ")));
  }

  void problem(std::string text, bool typed = false) {
    problems_.push_back(std::move(text));
    all_typed_ = all_typed_ && typed;
  }
  void problem(const std::string& id, const Origin& named_by, const Status& status) {
    const bool typed_id = named_by.source == Origin::Source::flag && !catalog_.find(id).ok();
    problem(fmt::format("plugin {} (named by {}): {}", shown(id), named_by.text(), status.message()),
            typed_id || status.code() == Code::usage);
  }

  const Catalog& catalog_;
  const PluginsConfig& config_;
  const std::map<std::string, PluginTable>& tables_;
  HostTableMaker& hosts_;
  Registry registry_;
  std::vector<std::string> failed_;
  std::vector<std::string> problems_;
  bool all_typed_ = true;  // on the command line, as far as there are problems
};

Result<Registry> Registry::open(const Catalog& catalog, const PluginsConfig& config,
                                const std::map<std::string, PluginTable>& tables, HostTableMaker& hosts) {
  return RegistryBuilder(catalog, config, tables, hosts).build();
}

}  // namespace pinion::host
