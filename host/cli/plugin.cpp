#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/bridge/host_table.hpp>
#include <pinion/host/cli/console_log.hpp>
#include <pinion/host/cli/plugin_manual.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/cli/setup.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/plugins/registry.hpp>
#include <pinion/host/plugins/search.hpp>
#include <pinion/host/plugins/trial.hpp>
#include <pinion/printable.hpp>
#include <set>

namespace pinion::host::cli {
namespace {

using nlohmann::ordered_json;

struct State {
  std::string name;    // "found", "shadowed", "refused"
  std::string reason;  // why it would not be loaded
};

// As loading it finds, in another process.
State state_of(const ListedPlugin& plugin) {
  if (plugin.shadowed_by) return {"shadowed", "by " + plugin.shadowed_by->string()};
  if (const auto status = try_load(plugin.manifest); !status.ok()) return {"refused", status.message()};
  return {"found", ""};
}

// "pinion.allocator/1" -> "allocator": the table shows what a plugin is, JSON its exact interfaces.
std::string short_names(const std::vector<std::string>& interfaces) {
  std::vector<std::string> names;
  for (const auto& interface : interfaces) {
    const auto dot = interface.find('.') + 1;  // 0 without a dot: the whole id
    names.push_back(interface.substr(dot, interface.find('/') - dot));
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string no_manifest(const std::filesystem::path& library) {
  return fmt::format("{}: is not found as a plugin: no manifest names it; pinion_add_plugin writes one beside it",
                     shown(library));
}

ordered_json to_json(const Catalog& catalog) {
  auto plugins = ordered_json::array();
  for (const auto& plugin : catalog.listed()) {
    const auto& manifest = plugin.manifest;
    const auto state = state_of(plugin);
    plugins.push_back({{"id", manifest.id},
                       {"version", manifest.version},
                       {"interfaces", manifest.interfaces},
                       {"abi", fmt::format("{}.{}", manifest.abi_major, manifest.abi_minor)},
                       {"library", manifest.library.string()},
                       {"manifest", manifest.path.string()},
                       {"found_through", plugin.origin},
                       {"state", state.name},
                       {"reason", state.reason}});
  }
  auto unreadable = ordered_json::array();
  for (const auto& manifest : catalog.unreadable()) {
    unreadable.push_back({{"manifest", manifest.path.string()}, {"reason", manifest.status.message()}});
  }
  auto alone = ordered_json::array();
  for (const auto& library : catalog.without_manifest()) alone.push_back(library.string());
  auto places = ordered_json::array();
  for (const auto& place : catalog.places()) {
    places.push_back({{"path", place.path.string()}, {"named_by", place.origin}, {"skipped", place.skipped}});
  }
  return {{"plugins", plugins}, {"unreadable", unreadable}, {"without_manifest", alone}, {"searched", places}};
}

void print_catalog(Console& console, const Catalog& catalog) {
  Table table({{"Id"}, {"Version"}, {"Is"}, {"ABI"}, {"State"}});
  std::vector<std::string> reasons;
  std::set<std::string> folders;
  for (const auto& plugin : catalog.listed()) {
    const auto& manifest = plugin.manifest;
    const auto state = state_of(plugin);
    const auto style = state.name == "found" ? Style::good : state.name == "refused" ? Style::bad : Style::dim;
    table.row({{manifest.id, Style::bold},
               manifest.version,
               short_names(manifest.interfaces),
               fmt::format("{}.{}", manifest.abi_major, manifest.abi_minor),
               {state.name, style}});
    folders.insert(manifest.path.parent_path().string());
    if (!state.reason.empty()) reasons.push_back(fmt::format("{}: {}: {}", manifest.id, state.name, state.reason));
  }
  for (const auto& manifest : catalog.unreadable()) reasons.push_back(manifest.status.message());
  for (const auto& library : catalog.without_manifest()) reasons.push_back(no_manifest(library));
  if (table.empty()) {
    console.print("no plugins in:");
    for (const auto& place : catalog.places()) {
      const auto name = place.path.empty() ? place.origin : fmt::format("{} ({})", shown(place.path), place.origin);
      console.print(fmt::format("  {}{}", name, place.skipped.empty() ? "" : ": skipped, " + place.skipped));
    }
  } else {
    console.print(table.text(console));
    for (const auto& folder : folders) console.print("in " + shown(folder));
    for (const auto& place : catalog.places())
      if (place.asked && !place.skipped.empty())
        console.warn(fmt::format("{} ({}) was not searched: {}", shown(place.path), place.origin, place.skipped));
  }
  for (const auto& reason : reasons) console.print(reason);
}

Exit list(Console& console, const HostFlags& flags) {
  const auto config = valid_config(flags);
  if (!config) return console.fail(config.status());
  const Catalog catalog(plugin_places(flags, *config));
  if (flags.json) {
    console.print_json(to_json(catalog));
  } else {
    print_catalog(console, catalog);
  }
  return Exit::success;
}

// The kinds of a plugin that has any, which only its code can tell. A plugin that does not start, for want of an option
// perhaps, is described without them.
std::vector<Kind> kinds_of(Console& console, const Catalog& catalog, const Config& config, const PluginInfo& info) {
  if (std::find(info.interfaces.begin(), info.interfaces.end(), PINION_PROOF) == info.interfaces.end()) return {};
  ConsoleLog log(console, LogLevel::warn);
  HostTables hosts(log);
  auto instance = open_instance(catalog, info.id, config.plugin_tables, hosts);
  if (!instance) {
    console.warn("no kinds are shown: " + instance.status().message());
    return {};
  }
  const auto proof = ProofPlugin::open(*std::move(instance));
  if (proof) return (*proof)->kinds();
  console.warn("no kinds are shown: " + proof.status().message());
  return {};
}

Exit describe(Console& console, const HostFlags& flags, const std::string& id) {
  const auto config = valid_config(flags);
  if (!config) return console.fail(config.status());
  const Catalog catalog(plugin_places(flags, *config));
  const auto manifest = catalog.find(id);
  if (!manifest) return console.misused(manifest.status());
  if (const auto tried = try_load(*manifest); !tried.ok()) return console.fail(tried);  // one that crashes is told
  const auto library = Library::load(*manifest);
  if (!library) return console.fail(library.status());
  const auto kinds = kinds_of(console, catalog, *config, (*library)->info());
  if (flags.json) {
    console.print_json(manual_json(**library, kinds));
  } else {
    print_manual(console, **library, kinds);
  }
  return Exit::success;
}

void add_list(CLI::App& plugin, Program& program) {
  auto flags = std::make_shared<HostFlags>();
  auto& verb = add_verb(plugin, {"list", "every plugin found, and why one would not be loaded", "",
                                 "pinion plugin list\npinion plugin list --plugin-path build/my-plugin --json"});
  add_host_flags(verb, *flags);
  add_json_flag(verb, *flags);
  verb.callback([&program, flags] { program.action = [&program, flags] { return list(program.console, *flags); }; });
}

void add_describe(CLI::App& plugin, Program& program) {
  auto flags = std::make_shared<HostFlags>();
  auto id = std::make_shared<std::string>();
  auto& verb = add_verb(plugin, {"describe", "a plugin's manual: what it is, offers, and its options", "",
                                 "pinion plugin describe alloc-heap"});
  verb.add_option("ID", *id, "the plugin's id, as 'plugin list' shows it")->type_name("")->required();
  add_host_flags(verb, *flags);
  add_json_flag(verb, *flags);
  verb.callback([&program, flags, id] {
    program.action = [&program, flags, id] { return describe(program.console, *flags, *id); };
  });
}

}  // namespace

void add_plugin(CLI::App& app, Program& program) {
  auto& plugin = add_verb(app, {"plugin", "find plugins and read their manuals", "Setup",
                                "pinion plugin list\npinion plugin describe alloc-heap"});
  plugin.require_subcommand(1);
  add_list(plugin, program);
  add_describe(plugin, program);
}

}  // namespace pinion::host::cli
