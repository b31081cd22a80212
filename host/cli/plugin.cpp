#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/cli/setup.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/config/plugin_options.hpp>
#include <pinion/host/plugins/gates.hpp>
#include <pinion/host/plugins/search.hpp>

namespace pinion::host::cli {
namespace {

using nlohmann::ordered_json;

struct State {
  std::string name;    // "found", "shadowed", "refused"
  std::string reason;  // why it would not be loaded
};

// As far as can be told without running the plugin's code.
State state_of(const ListedPlugin& plugin) {
  if (plugin.shadowed_by) return {"shadowed", "by " + plugin.shadowed_by->string()};
  if (const auto status = check_file(plugin.manifest); !status.ok()) return {"refused", status.message()};
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
  auto places = ordered_json::array();
  for (const auto& place : catalog.places()) {
    places.push_back({{"path", place.path.string()}, {"named_by", place.origin}, {"skipped", place.skipped}});
  }
  return {{"plugins", plugins}, {"unreadable", unreadable}, {"searched", places}};
}

void print_catalog(Console& console, const Catalog& catalog) {
  Table table({{"Id"}, {"Version"}, {"Is"}, {"ABI"}, {"State"}, {"Library"}});
  std::vector<std::string> reasons;
  for (const auto& plugin : catalog.listed()) {
    const auto& manifest = plugin.manifest;
    const auto state = state_of(plugin);
    const auto style = state.name == "found" ? Style::good : state.name == "refused" ? Style::bad : Style::dim;
    table.row({{manifest.id, Style::bold},
               manifest.version,
               short_names(manifest.interfaces),
               fmt::format("{}.{}", manifest.abi_major, manifest.abi_minor),
               {state.name, style},
               manifest.library.string()});
    if (!state.reason.empty()) reasons.push_back(fmt::format("{}: {}: {}", manifest.id, state.name, state.reason));
  }
  for (const auto& manifest : catalog.unreadable()) reasons.push_back(manifest.status.message());
  if (table.empty()) {
    console.print("no plugins in:");
    for (const auto& place : catalog.places()) {
      console.print(fmt::format("  {} ({}){}", place.path.string(), place.origin,
                                place.skipped.empty() ? "" : ": skipped, " + place.skipped));
    }
  } else {
    console.print(table.text(console));
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

std::string type_text(const OptionInfo& option) {
  if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, "|"));
  switch (option.type) {
    case PINION_OPTION_BOOL:
      return "true|false";
    case PINION_OPTION_INTEGER:
      return "integer";
    case PINION_OPTION_SIZE:
      return "size";
    case PINION_OPTION_DURATION:
      return "duration";
    case PINION_OPTION_LIST:
      return "list";
    default:
      return "text";
  }
}

ordered_json to_json(const PluginInfo& info, const Manifest& manifest) {
  auto options = ordered_json::array();
  for (const auto& option : info.options) {
    options.push_back({{"key", option.key},
                       {"type", type_text(option)},
                       {"default", option.default_value ? ordered_json(*option.default_value) : ordered_json(nullptr)},
                       {"help", option.help}});
  }
  return {{"id", info.id},
          {"name", info.name},
          {"version", info.version},
          {"licence", info.licence},
          {"description", info.description},
          {"interfaces", info.interfaces},
          {"abi", fmt::format("{}.{}", info.abi_major, info.abi_minor)},
          {"library", manifest.library.string()},
          {"options", options}};
}

void print_manual(Console& console, const PluginInfo& info, const Manifest& manifest) {
  console.print(fmt::format("{} {}  {}", console.styled(Style::bold, info.id), info.version, info.name));
  console.print(fmt::format("{}\n", info.description));
  console.print(fmt::format("offers   {}", fmt::join(info.interfaces, ", ")));
  console.print(fmt::format("licence  {}", info.licence));
  console.print(fmt::format("library  {} (ABI {}.{})\n", manifest.library.string(), info.abi_major, info.abi_minor));
  if (info.options.empty()) {
    console.print("It has no options.");
    return;
  }
  console.print(fmt::format("Options, in [plugin.{}] of pinion.toml:\n", info.id));
  Table table({{"Key"}, {"Value"}, {"Default"}, {"What"}});
  for (const auto& option : info.options) {
    table.row({{option.key, Style::bold}, type_text(option), option.default_value.value_or("(required)"), option.help});
  }
  console.print(table.text(console));
}

Exit describe(Console& console, const HostFlags& flags, const std::string& id) {
  const auto config = valid_config(flags);
  if (!config) return console.fail(config.status());
  const auto manifest = Catalog(plugin_places(flags, *config)).find(id);
  if (!manifest) return console.fail(manifest.status());
  const auto library = Library::load(*manifest);
  if (!library) return console.fail(library.status());
  const auto& info = (*library)->info();
  if (flags.json) {
    console.print_json(to_json(info, *manifest));
  } else {
    print_manual(console, info, *manifest);
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
  verb.add_option("ID", *id, "the plugin's id, as 'plugin list' shows it")->required();
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
