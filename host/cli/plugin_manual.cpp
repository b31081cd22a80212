#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <pinion/host/base/units.hpp>
#include <pinion/host/cli/plugin_manual.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

using nlohmann::ordered_json;

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

ordered_json to_json(const OptionInfo& option) {
  return {{"key", option.key},
          {"type", type_text(option)},
          {"default", option.default_value ? ordered_json(*option.default_value) : ordered_json(nullptr)},
          {"help", option.help}};
}

ordered_json to_json(const Kind& kind) {
  auto files = ordered_json::array();
  for (const auto& file : kind.files) {
    files.push_back({{"name", file.name}, {"bytes", file.bytes.count()}, {"digest", file.digest}});
  }
  return {{"id", kind.id},
          {"family", kind.family},
          {"title", kind.title},
          {"sector", kind.sector.count()},
          {"formats", kind.formats},
          {"wire_kind", kind.wire_kind},
          {"wire_label", kind.wire_label},
          {"wire_circuit", kind.wire_circuit},
          {"files", files}};
}

void print_options(Console& console, const PluginInfo& info) {
  if (info.options.empty()) {
    console.print("It has no options.");
    return;
  }
  console.print(fmt::format("Options, in [plugin.{}] of pinion.toml:", info.id));
  console.print("");
  Table table({{"Key"}, {"Value"}, {"Default"}, {"What"}});
  for (const auto& option : info.options) {
    table.row({{option.key, Style::bold}, type_text(option), option.default_value.value_or("(required)"), option.help});
  }
  console.print(table.text(console));
}

void print_kinds(Console& console, std::span<const Kind> kinds) {
  console.print("\nKinds, and their number, label and circuit in the compatible service:");
  console.print("");
  Table table({{"Kind"},
               {"Prove as"},
               {"Sector", Table::Align::right},
               {"Keys", Table::Align::right},
               {"Number", Table::Align::right},
               {"Label"},
               {"Circuit"}});
  for (const auto& kind : kinds) {
    Bytes keys;
    for (const auto& file : kind.files) keys += file.bytes;
    table.row({{kind.id, Style::bold},
               kind.family,
               exact_text(kind.sector),
               human_text(keys),
               std::to_string(kind.wire_kind),
               kind.wire_label,
               kind.wire_circuit});
  }
  console.print(table.text(console));
  const auto has_files = [](const Kind& kind) { return !kind.files.empty(); };
  if (std::any_of(kinds.begin(), kinds.end(), has_files)) console.print("\nKey files:");
  for (const auto& kind : kinds) {
    if (kind.files.empty()) continue;
    console.print("\n" + kind.id);
    for (const auto& file : kind.files) console.print("  " + file.name);
  }
}

}  // namespace

void print_manual(Console& console, const Library& library, std::span<const Kind> kinds) {
  const auto& info = library.info();
  const auto width = console.terminal().width;
  console.print(fmt::format("{} {}  {}", console.styled(Style::bold, info.id), info.version, info.name));
  console.print(wrapped(info.description, width));
  console.print("");
  console.print(fmt::format("offers   {}", wrapped(fmt::format("{}", fmt::join(info.interfaces, ", ")), width, 9)));
  console.print(fmt::format("licence  {}", info.licence));
  console.print(fmt::format("ABI      {}.{}", info.abi_major, info.abi_minor));
  console.print(fmt::format("library  {}", shown(library.manifest().library)));
  console.print("");
  print_options(console, info);
  if (!kinds.empty()) print_kinds(console, kinds);
}

ordered_json manual_json(const Library& library, std::span<const Kind> kinds) {
  const auto& info = library.info();
  auto options = ordered_json::array();
  for (const auto& option : info.options) options.push_back(to_json(option));
  auto all_kinds = ordered_json::array();
  for (const auto& kind : kinds) all_kinds.push_back(to_json(kind));
  return {{"id", info.id},
          {"name", info.name},
          {"version", info.version},
          {"licence", info.licence},
          {"description", info.description},
          {"interfaces", info.interfaces},
          {"abi", fmt::format("{}.{}", info.abi_major, info.abi_minor)},
          {"library", library.manifest().library.string()},
          {"options", options},
          {"kinds", all_kinds}};
}

}  // namespace pinion::host::cli
