#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/base/ids.hpp>
#include <pinion/host/base/units.hpp>
#include <pinion/host/cli/files.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/cli/status_document.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/report/snapshot.hpp>
#include <pinion/printable.hpp>
#include <string>

namespace pinion::host::cli {
namespace {

constexpr Bytes most_text = mib(64);

struct MemoryFlags {
  std::string status;  // a file, or "-"
  bool json = false;
};

Result<nlohmann::ordered_json> read_status(const std::string& name, const std::stop_token& stop) {
  const auto bytes = read_bytes(name, most_text, stop);
  if (!bytes) return bytes.status();
  return parse_status(name == "-" ? "standard input" : name, std::string(bytes->begin(), bytes->end()));
}

std::string bytes_text(const StatusValue& value) {
  return human_text(value.bytes());
}

void print_sums(Console& console, const StatusValue& space, const char* title, const char* key) {
  Table table({{title}, {"Bytes", Table::Align::right}, {"Of used", Table::Align::right}});
  const double used = std::max(1.0, static_cast<double>(space.at("used").bytes().count()));
  auto sums = space.at(key).sums();
  std::stable_sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [name, bytes] : sums)
    table.row({name, human_text(bytes), fmt::format("{:.0f} %", 100 * static_cast<double>(bytes.count()) / used)});
  if (!table.empty()) console.print(table.text(console));
}

void print_pool(Console& console, const StatusValue& space) {
  if (const auto pinned = space.find("pinned"))
    console.print(fmt::format("  page-locked  {} of at most {}, most {}", bytes_text(pinned->at("used")),
                              bytes_text(pinned->at("limit")), bytes_text(pinned->at("high_water"))));
  if (const auto warm = space.find("warm"); warm && warm->at("state").text() != "off") {
    const auto reason = warm->at("reason").text();
    console.print(fmt::format("  warm-up      {}: {} of {}{}", shown(warm->at("state").text()),
                              bytes_text(warm->at("made")), bytes_text(warm->at("wanted")),
                              reason.empty() ? "" : "; " + shown(reason)));
  }
}

// Charged, but in nobody's use: without a word of it the figures would be taken for what proofs need.
Bytes kept_of(const StatusValue& space) {
  for (const auto& [purpose, bytes] : space.at("by_purpose").sums())
    if (purpose == kept_for_critical) return bytes;
  return {};
}

void print_space(Console& console, const StatusValue& space) {
  const Bytes kept = kept_of(space);
  const auto name = shown(space.at("name").text());
  const auto text =
      fmt::format("{} of {} used{}, most {}, idle {}", bytes_text(space.at("used")), bytes_text(space.at("budget")),
                  kept.zero() ? "" : fmt::format(" ({} of it {})", human_text(kept), kept_for_critical),
                  bytes_text(space.at("high_water")), bytes_text(space.at("idle")));
  console.print(fmt::format("{}  {}", console.styled(Style::bold, name),
                            wrapped(text, console.terminal().width, name.size() + 2)));
  if (const auto source = space.at("budget_source").text(); !source.empty())
    console.print("  budget       " + shown(source));
  print_pool(console, space);
  for (const auto& [reason, bytes] : space.at("stuck_by_reason").sums())
    console.print(fmt::format("  stuck        {} until pinion is started anew: {}", human_text(bytes), shown(reason)));
  for (const auto& [kinds, bytes] : space.at("not_as_stated").sums())
    console.print(fmt::format("  not as stated  {}: {}", human_text(bytes), shown(kinds)));
  print_sums(console, space, "Purpose", "by_purpose");
  print_sums(console, space, "Owner", "by_owner");
  if (const auto waiting = space.at("waiting").list().size(); waiting != 0)
    console.print(fmt::format("  {} claim(s) wait for memory", waiting));
}

// The ledger against the kernel's own figure. `kept` is charged and touched by nobody.
void print_process(Console& console, const StatusValue& process, Bytes kept) {
  const auto beyond = process.at("beyond_charged").difference();
  const auto text = fmt::format(
      "{} anonymous and {} shared resident, {} charged: {} {}{}, most ever resident {}",
      bytes_text(process.at("rss_anon")), bytes_text(process.at("rss_shmem")), bytes_text(process.at("charged")),
      human_text(Bytes(beyond < 0 ? 0 - static_cast<std::uint64_t>(beyond) : static_cast<std::uint64_t>(beyond))),
      beyond < 0 ? "charged but not touched" : "beyond what is charged",
      kept.zero() ? "" : fmt::format(" ({} {})", human_text(kept), kept_for_critical),
      bytes_text(process.at("rss_peak")));
  console.print("process  " + wrapped(text, console.terminal().width, 9));
}

void print_status(Console& console, const StatusValue& status) {
  Bytes kept;
  for (const auto& space : status.at("spaces").list()) {
    print_space(console, space);
    if (space.at("name").text() == SpaceId::host().text()) kept = kept_of(space);
  }
  if (const auto process = status.find("process")) print_process(console, *process, kept);
}

nlohmann::ordered_json attribution(const StatusValue& status) {
  nlohmann::ordered_json out;
  for (const auto& space : status.at("spaces").list()) {
    nlohmann::ordered_json one;
    for (const char* key :
         {"name", "budget", "budget_source", "used", "high_water", "idle", "stuck", "stuck_by_reason", "not_as_stated",
          "pinned", "warm", "by_purpose", "by_owner", "holdings", "slabs", "residents", "waiting"})
      if (const auto value = space.find(key)) one[key] = value->json();
    out["spaces"].push_back(std::move(one));
  }
  out["ready"] = status.at("ready").json();
  if (const auto process = status.find("process")) out["process"] = process->json();
  return out;
}

Exit show(Program& program, const MemoryFlags& flags) {
  auto& console = program.console;
  const auto refuse = [&](const std::string& why) {
    return console.fail(Exit::input, fmt::format("--status {}; 'pinion prove --status FILE' of this version "
                                                 "writes what is read here",
                                                 why));
  };
  const auto document = read_status(flags.status, program.stop);
  if (!document && document.status().code() == Code::cancelled) return console.fail(document.status());
  if (!document) return refuse(document.status().message());
  try {
    const StatusValue status(*document);
    if (flags.json)
      console.print_json(attribution(status));
    else
      print_status(console, status);
    return Exit::success;
  } catch (const NoStatus& why) {
    return refuse(fmt::format("{}: {}", shown(flags.status), why.what()));
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
  verb.callback([&program, flags] { program.action = [&program, flags] { return show(program, *flags); }; });
}

}  // namespace pinion::host::cli
