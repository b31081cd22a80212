#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/base/regular_file.hpp>
#include <pinion/host/base/units.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/printable.hpp>
#include <string>
#include <vector>

namespace pinion::host::cli {
namespace {

using nlohmann::ordered_json;

constexpr Bytes most_text = mib(64);

struct MemoryFlags {
  std::string status;  // a file, or "-"
  bool json = false;
};

Result<std::string> read_status(const std::string& name) {
  if (name != "-") {
    auto text = read_regular_text(name, most_text);
    if (!text)
      return Status(Code::invalid_input, fmt::format("--status {} ('-' reads a pipe)", text.status().message()));
    return text;
  }
  std::string text(most_text.count() + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  if (text.size() > most_text.count())
    return Status(Code::invalid_input, fmt::format("--status -: more than {}", human_text(most_text)));
  return text;
}

std::string bytes_text(const ordered_json& value) {
  return human_text(Bytes(value.get<std::uint64_t>()));
}

// Largest first.
std::vector<std::pair<std::string, std::uint64_t>> sorted(const ordered_json& sums) {
  std::vector<std::pair<std::string, std::uint64_t>> rows;
  for (const auto& [name, bytes] : sums.items()) rows.emplace_back(name, bytes.get<std::uint64_t>());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return rows;
}

void print_sums(Console& console, const ordered_json& space, const char* title, const char* key) {
  Table table({{title}, {"Bytes", Table::Align::right}, {"Of used", Table::Align::right}});
  const double used = std::max(1.0, space.at("used").get<double>());
  for (const auto& [name, bytes] : sorted(space.at(key)))
    table.row({name, human_text(Bytes(bytes)), fmt::format("{:.0f} %", 100 * static_cast<double>(bytes) / used)});
  if (!table.empty()) console.print(table.text(console));
}

void print_pool(Console& console, const ordered_json& space) {
  if (const auto pinned = space.find("pinned"); pinned != space.end())
    console.print(fmt::format("  page-locked  {} of at most {}, most {}", bytes_text(pinned->at("used")),
                              bytes_text(pinned->at("limit")), bytes_text(pinned->at("high_water"))));
  if (const auto warm = space.find("warm"); warm != space.end() && warm->at("state") != "off") {
    const auto reason = warm->at("reason").get<std::string>();
    console.print(fmt::format("  warm-up      {}: {} of {}{}", shown(warm->at("state").get<std::string>()),
                              bytes_text(warm->at("made")), bytes_text(warm->at("wanted")),
                              reason.empty() ? "" : "; " + shown(reason)));
  }
}

void print_stuck(Console& console, const ordered_json& space) {
  for (const auto& [reason, bytes] : space.at("stuck_by_reason").items())
    console.print(fmt::format("  stuck        {} until pinion is started anew: {}", bytes_text(bytes), shown(reason)));
}

void print_contradictions(Console& console, const ordered_json& space) {
  for (const auto& [kinds, bytes] : space.at("not_as_stated").items())
    console.print(fmt::format("  not as stated  {}: {}", bytes_text(bytes), shown(kinds)));
}

void print_space(Console& console, const ordered_json& space) {
  console.print(fmt::format("{}  {} of {} used, most {}, idle {}",
                            console.styled(Style::bold, shown(space.at("name").get<std::string>())),
                            bytes_text(space.at("used")), bytes_text(space.at("budget")),
                            bytes_text(space.at("high_water")), bytes_text(space.at("idle"))));
  if (const auto source = space.at("budget_source").get<std::string>(); !source.empty())
    console.print("  budget       " + shown(source));
  print_pool(console, space);
  print_stuck(console, space);
  print_contradictions(console, space);
  print_sums(console, space, "Purpose", "by_purpose");
  print_sums(console, space, "Owner", "by_owner");
  if (const auto waiting = space.at("waiting").size(); waiting != 0)
    console.print(fmt::format("  {} claim(s) wait for memory", waiting));
}

// The ledger against the kernel's own figure.
void print_process(Console& console, const ordered_json& process) {
  const auto beyond = process.at("beyond_charged").get<std::int64_t>();
  const auto text = fmt::format(
      "{} anonymous and {} shared resident, {} charged: {} {}, most ever resident {}",
      bytes_text(process.at("rss_anon")), bytes_text(process.at("rss_shmem")), bytes_text(process.at("charged")),
      human_text(Bytes(beyond < 0 ? 0 - static_cast<std::uint64_t>(beyond) : static_cast<std::uint64_t>(beyond))),
      beyond < 0 ? "charged but not touched" : "beyond what is charged", bytes_text(process.at("rss_peak")));
  console.print("process  " + wrapped(text, console.terminal().width, 9));
}

ordered_json attribution(const ordered_json& status) {
  ordered_json out;
  for (const auto& space : status.at("spaces")) {
    ordered_json one;
    for (const char* key :
         {"name", "budget", "budget_source", "used", "high_water", "idle", "stuck", "stuck_by_reason", "not_as_stated",
          "pinned", "warm", "by_purpose", "by_owner", "holdings", "slabs", "residents", "waiting"})
      if (space.contains(key)) one[key] = space.at(key);
    out["spaces"].push_back(std::move(one));
  }
  out["ready"] = status.at("ready");
  if (status.contains("process")) out["process"] = status.at("process");
  return out;
}

Exit show(Console& console, const MemoryFlags& flags) {
  const auto text = read_status(flags.status);
  if (!text) return console.fail(text.status());
  try {
    const ordered_json status = ordered_json::parse(*text);
    if (flags.json) {
      console.print_json(attribution(status));
      return Exit::success;
    }
    for (const auto& space : status.at("spaces")) print_space(console, space);
    if (status.contains("process")) print_process(console, status.at("process"));
    return Exit::success;
  } catch (const ordered_json::exception& error) {
    return console.fail(
        Status(Code::invalid_input, fmt::format("--status {}: not a status that this version of pinion wrote: {}",
                                                shown(flags.status), error.what())));
  }
}

}  // namespace

void add_memory(CLI::App& app, Program& program) {
  auto flags = std::make_shared<MemoryFlags>();
  auto& verb = add_verb(
      app, {"memory", "where memory goes: by space, purpose and owner, and what the kernel says beside it", "Proving",
            "pinion memory --status status.json    (of 'prove --status status.json')\n"
            "pinion memory --status status.json --json"});
  verb.add_option("--status", flags->status, "a status file, or '-' for standard input")->required()->type_name("FILE");
  verb.add_flag("--json", flags->json, "print JSON");
  verb.callback([&program, flags] { program.action = [&program, flags] { return show(program.console, *flags); }; });
}

}  // namespace pinion::host::cli
