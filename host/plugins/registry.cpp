#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <pinion/host/plugins/options.hpp>
#include <pinion/host/plugins/registry.hpp>
#include <pinion/host/plugins/tables.hpp>
#include <pinion/printable.hpp>
#include <set>

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
    const bool fallback = *config_.fallback != "none";
    add_allocator(config_.allocator, fallback);
    if (fallback) add_allocator(config_.fallback, false);
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
  // What opens as a Plugin of this id, or nothing and a problem more; `others`: the configuration names what may take
  // its place.
  template <class Plugin>
  std::shared_ptr<Plugin> open(const std::string& id, const Origin& named_by, bool others = false) {
    auto instance = instance_of(id, named_by, others);
    if (!instance) return nullptr;
    auto plugin = Plugin::open(std::move(instance));
    if (plugin) return *plugin;
    problem(id, named_by, plugin.status());
    return nullptr;
  }

  std::shared_ptr<Instance> instance_of(const std::string& id, const Origin& named_by, bool others = false) {
    for (const auto& instance : registry_.instances_)
      if (instance->id() == id) return instance;
    if (!asked_.insert(id).second) return nullptr;  // it failed before
    auto instance = open_instance(catalog_, id, tables_, hosts_);
    if (instance) {
      registry_.instances_.push_back(*instance);
      return *instance;
    }
    if (others && instance.status().code() == Code::unsupported)
      shortfall(id, named_by, "does not work here, what is named beside it takes its place", instance.status());
    else
      problem(id, named_by, instance.status());
    return nullptr;
  }

  void add_allocator(const Setting<std::string>& setting, bool fallback) {
    if (auto allocator = open<AllocatorPlugin>(*setting, setting.origin, fallback))
      registry_.allocators_.push_back(std::move(allocator));
  }

  // Once the devices are known: a slab for the one that will be used first touches no other.
  void test_allocators() {
    const Placement placement = first_placement();
    for (const auto& allocator : registry_.allocators_) {
      const Status status = allocator->self_test(placement);
      if (status.ok()) continue;
      const Setting<std::string>& named = allocator->id() == *config_.allocator ? config_.allocator : config_.fallback;
      const bool refused = status.code() == Code::out_of_memory || status.code() == Code::device_lost;
      if (refused && allocator != registry_.allocators_.back())
        shortfall(*named, named.origin, "gives no memory now, what it refuses comes from " + *config_.fallback, status);
      else
        problem(*named, named.origin, status);
    }
  }

  Placement first_placement() const {
    for (const auto& loaded : registry_.backends_)
      for (const auto& device : loaded.backend->devices())
        if (device.ineligible.empty()) return device.placement();
    return {};
  }

  void add_backend(const std::string& id) {
    const Origin& named_by = config_.backends.origin;
    auto backend = open<BackendPlugin>(id, named_by, config_.backends->size() > 1);
    if (!backend) return;
    if (backend->devices().empty())
      shortfall(id, named_by, "has no devices",
                Status(Code::unsupported, backend->why_none().empty() ? "no reason given" : backend->why_none()));
    registry_.backends_.push_back({std::move(backend), residents_of(id, named_by)});
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

  // Those of plugins in use were checked when these were opened.
  void check_tables() {
    for (const auto& [id, table] : tables_)
      if (!asked_.contains(id))
        for (const Problem& wrong : check_table(catalog_, id, &table))
          problem(wrong.text(), wrong.origin.source == Origin::Source::flag);
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
    std::vector<std::string> reasons;
    for (const auto& loaded : registry_.backends_)
      for (const auto& device : loaded.backend->devices()) {
        if (device.ineligible.empty()) return;
        reasons.push_back(fmt::format("{}: \"{}\" {}", loaded.backend->id(), device.name, device.ineligible));
      }
    const std::vector<std::string>& named = *config_.backends;
    for (const auto& [id, text] : registry_.shortfalls_)
      if (std::find(named.begin(), named.end(), id) != named.end()) reasons.push_back(text);
    if (reasons.empty()) return;  // none is wanted, or none was opened, which is told already
    std::string text = fmt::format("no usable device; {}", fmt::join(reasons, "; "));
    if (const auto others = others_than(named, PINION_BACKEND); !others.empty())
      text += fmt::format("; to prove with another backend write it too: [plugins] backends = [\"{}\", \"{}\"]",
                          fmt::join(named, "\", \""), fmt::join(others, "\", \""));
    problem(std::move(text));
  }

  // What is installed and may stand in their place.
  std::vector<std::string> others_than(const std::vector<std::string>& named, std::string_view interface) const {
    auto ids = plugin_ids(catalog_, interface);
    std::erase_if(ids, [&](const std::string& id) { return std::find(named.begin(), named.end(), id) != named.end(); });
    return ids;
  }

  void problem(std::string text, bool typed = false) {
    problems_.push_back(std::move(text));
    all_typed_ = all_typed_ && typed;
  }

  void problem(const std::string& id, const Origin& named_by, const Status& status) {
    const bool typed_id = named_by.source == Origin::Source::flag && !catalog_.find(id).ok();
    std::string text = fmt::format("plugin {} (named by {}): {}", shown(id), named_by.text(), status.message());
    const bool of_machine = status.code() == Code::unsupported || status.code() == Code::out_of_memory;
    if (const auto others = others_than({id}, PINION_ALLOCATOR);
        of_machine && id == *config_.allocator && !others.empty())
      text += fmt::format(
          "; to start all the same, shown as degraded, write [plugins] fallback = \"{0}\"; to do "
          "without this allocator, [plugins] allocator = \"{0}\"",
          fmt::join(others, "\" or \""));
    problem(std::move(text), typed_id || status.code() == Code::usage);
  }

  void shortfall(const std::string& id, const Origin& named_by, std::string_view what, const Status& why) {
    registry_.shortfalls_.push_back(
        {id, fmt::format("plugin {} (named by {}) {}: {}", shown(id), named_by.text(), what, why.message())});
  }

  const Catalog& catalog_;
  const PluginsConfig& config_;
  const std::map<std::string, PluginTable>& tables_;
  HostTableMaker& hosts_;
  Registry registry_;
  std::set<std::string> asked_;  // ids tried, with or without success
  std::vector<std::string> problems_;
  bool all_typed_ = true;  // on the command line, as far as there are problems
};

Result<Registry> Registry::open(const Catalog& catalog, const PluginsConfig& config,
                                const std::map<std::string, PluginTable>& tables, HostTableMaker& hosts) {
  return RegistryBuilder(catalog, config, tables, hosts).build();
}

}  // namespace pinion::host
