#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pinion/pinion.h>

#include <algorithm>
#include <iterator>
#include <pinion/host/plugins/library.hpp>
#include <pinion/host/plugins/options.hpp>
#include <pinion/host/plugins/tables.hpp>
#include <pinion/host/plugins/trial.hpp>
#include <set>

namespace pinion::host {
namespace {

// "; did you mean …?; there are: …"
std::string instead_of(const std::string& id, const std::vector<std::string>& known) {
  const auto near = nearest(id, known);
  return fmt::format("{}; there are: {}", near ? fmt::format("; did you mean \"{}\"?", *near) : "",
                     known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")));
}

}  // namespace

std::vector<std::string> plugin_ids(const Catalog& catalog, std::string_view interface) {
  std::vector<std::string> ids;
  for (const auto& listed : catalog.listed()) {
    const auto& offered = listed.manifest.interfaces;
    const bool fits = interface.empty() || std::find(offered.begin(), offered.end(), interface) != offered.end();
    if (fits && !listed.shadowed_by) ids.push_back(listed.manifest.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<Problem> check_table(const Catalog& catalog, const std::string& id, const PluginTable* table) {
  const auto wrong = [&](std::string message) {
    return std::vector<Problem>{{table == nullptr ? Origin() : table->origin, "plugin." + id, "", std::move(message)}};
  };
  const auto manifest = catalog.find(id);
  if (!manifest) return wrong("there is no such plugin" + instead_of(id, plugin_ids(catalog)));
  if (const Status tried = try_load(*manifest); !tried.ok()) return wrong(tried.message());
  const auto library = Library::load(*manifest);
  if (!library) return wrong(library.status().message());
  return check_options(id, declared_options((*library)->info().options), table).problems;
}

std::vector<Problem> check_plugins(const Catalog& catalog, const Config& config) {
  std::vector<Problem> problems;
  std::map<std::string, const PluginTable*> spoken_of;
  for (const auto& [id, table] : config.plugin_tables) spoken_of.emplace(id, &table);
  const auto named = [&](const char* key, const Origin& origin, const std::string& id, const char* interface) {
    const auto fit = plugin_ids(catalog, interface);
    if (std::find(fit.begin(), fit.end(), id) != fit.end()) {
      spoken_of.emplace(id, nullptr);
      return;
    }
    problems.push_back(
        {origin, key, option_text(OptionValue(id)),
         (catalog.find(id) ? fmt::format("this plugin does not offer {}", interface) : "there is no such plugin") +
             instead_of(id, fit)});
  };
  const PluginsConfig& plugins = config.plugins;
  named("plugins.allocator", plugins.allocator.origin, *plugins.allocator, PINION_ALLOCATOR);
  if (*plugins.fallback != "none")
    named("plugins.fallback", plugins.fallback.origin, *plugins.fallback, PINION_ALLOCATOR);
  using Ids = std::set<std::string>;  // each once, even where one stands twice
  for (const auto& id : Ids(plugins.backends->begin(), plugins.backends->end()))
    named("plugins.backends", plugins.backends.origin, id, PINION_BACKEND);
  for (const auto& id : Ids(plugins.proofs->begin(), plugins.proofs->end()))
    named("plugins.proofs", plugins.proofs.origin, id, PINION_PROOF);
  for (const auto& [id, table] : spoken_of) {
    auto more = check_table(catalog, id, table);
    std::move(more.begin(), more.end(), std::back_inserter(problems));
  }
  return problems;
}

}  // namespace pinion::host
