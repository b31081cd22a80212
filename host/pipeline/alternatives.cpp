#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <pinion/host/pipeline/alternatives.hpp>
#include <pinion/host/plugins/tables.hpp>

namespace pinion::host {
namespace {

// Options as they were written, without where.
std::vector<std::string> options_of(const Config& config, const std::string& plugin) {
  std::vector<std::string> out;
  if (const auto table = config.plugin_tables.find(plugin); table != config.plugin_tables.end())
    for (const auto& [key, value] : table->second.values) out.push_back(key + " = " + value.text());
  return out;
}

bool same_allocator(const std::string& id, const Config& a, const Config& b) {
  return options_of(a, id) == options_of(b, id);
}

Placement first_placement(const Registry& registry) {
  for (const LoadedBackend& loaded : registry.backends())
    for (const DeviceFacts& device : loaded.backend->devices())
      if (device.ineligible.empty()) return device.placement();
  return {};
}

}  // namespace

std::vector<std::string> all_backends(const Config& config, const std::vector<Config>& alternatives) {
  std::vector<std::string> ids = *config.plugins.backends;
  for (const Config& alternative : alternatives)
    for (const std::string& id : *alternative.plugins.backends)
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  return ids;
}

Result<std::vector<std::shared_ptr<AllocatorPlugin>>> open_allocators(const Config& config, const Config& first,
                                                                      const Catalog& catalog, const Registry& registry,
                                                                      HostTableMaker& hosts) {
  std::vector<std::shared_ptr<AllocatorPlugin>> out;
  std::vector<std::string> problems;
  const Placement placement = first_placement(registry);
  if (&config != &first)  // whose own were checked with the registry; those of allocators are as they are opened
    for (const auto& [id, table] : config.plugin_tables)
      if (id != *config.plugins.allocator && id != *config.plugins.fallback)
        for (const Problem& wrong : check_table(catalog, id, &table)) problems.push_back(wrong.text());
  for (const Setting<std::string>* setting : {&config.plugins.allocator, &config.plugins.fallback}) {
    const std::string& id = **setting;
    if (setting == &config.plugins.fallback && id == "none") continue;
    const auto& known = registry.allocators();
    const auto is = [&](const auto& allocator) { return allocator->id() == id; };
    if (const auto at = std::find_if(known.begin(), known.end(), is);
        at != known.end() && same_allocator(id, config, first)) {
      out.push_back(*at);
      continue;
    }
    const bool has_fallback = setting == &config.plugins.allocator && *config.plugins.fallback != "none";
    const auto fell_short = [&](const Shortfall& shortfall) { return shortfall.id == id; };
    if (const auto& passed = registry.shortfalls();
        has_fallback && same_allocator(id, config, first) && std::any_of(passed.begin(), passed.end(), fell_short))
      continue;
    const auto problem = [&](const Status& status) {
      problems.push_back(fmt::format("plugin {} (named by {}): {}", id, setting->origin.text(), status.message()));
    };
    auto instance = open_instance(catalog, id, config.plugin_tables, hosts);
    if (!instance) {
      problem(instance.status());
      continue;
    }
    auto allocator = AllocatorPlugin::open(std::move(*instance));
    if (!allocator) {
      problem(allocator.status());
      continue;
    }
    if (*config.plugins.self_test)
      if (const Status status = (*allocator)->self_test(placement); !status.ok()) problem(status);
    out.push_back(std::move(*allocator));
  }
  if (!problems.empty()) return Status(Code::invalid_config, fmt::format("{}", fmt::join(problems, "\n")));
  return out;
}

}  // namespace pinion::host
