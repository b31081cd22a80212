#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pinion/host/base/units.hpp>
#include <pinion/host/cli/result.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/memory/space.hpp>
#include <pinion/host/pipeline/routes.hpp>

namespace pinion::host::cli {
namespace {

using nlohmann::ordered_json;

double milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

Bytes peak_resident() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return kib(static_cast<std::uint64_t>(usage.ru_maxrss));
}

Table stage_rows(const ProveResult& result) {
  using Align = Table::Align;
  Table table({{"Stage"},
               {"Times", Align::right},
               {"Total", Align::right},
               {"Longest", Align::right},
               {"Share", Align::right},
               {"Bytes", Align::right}});
  const double whole = std::max(1.0, static_cast<double>(result.elapsed.count()));
  for (const auto& stage : result.stages) {
    table.row({std::string(std::size_t{2} * stage.depth, ' ') + stage.name, std::to_string(stage.count),
               human_text(stage.total), human_text(stage.longest),
               fmt::format("{:.0f} %", 100 * static_cast<double>(stage.covered.count()) / whole),
               stage.bytes.zero() ? "" : human_text(stage.bytes)});
  }
  return table;
}

void add_new(std::vector<std::string>& texts, std::string text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

// What made the results, and how much memory it took; each said once.
void print_origin(Console& console, std::span<const ProveResult> results, const MemoryUse& memory) {
  std::vector<std::string> makers, plugins;
  for (const auto& result : results) {
    for (const auto& part : result.parts)
      add_new(makers, fmt::format("{}, {}", part.device, short_format(part.format)));
    for (const auto& plugin : result.plugins) add_new(plugins, plugin);
  }
  const auto say = [&](const std::string& what, const std::string& text) {
    console.print(fmt::format("{:<10}{}", what, wrapped(text, console.terminal().width, 10)));
  };
  for (const auto& maker : makers) say("made by", maker);
  say("plugins", fmt::format("{}", fmt::join(plugins, ", ")));
  say("memory", memory_text(memory));
}

std::string what_was_made(const ProveResult& result) {
  if (!result.proof.empty()) return fmt::format("{} bytes, verified", result.proof.size());
  return fmt::format("{} of {}, each verified", result.parts.size(), result.partitions);
}

ordered_json to_json(const PartResult& part) {
  const auto& times = part.times;
  return {{"partition", part.partition},
          {"bytes", hex_text(part.bytes)},
          {"backend", part.backend},
          {"device", part.device},
          {"format", part.format},
          {"attempts", part.attempts},
          {"milliseconds",
           {{"wait", milliseconds(times.wait)},
            {"claim", milliseconds(times.claim)},
            {"synthesize", milliseconds(times.synthesize)},
            {"start", milliseconds(times.start)},
            {"finish", milliseconds(times.finish)},
            {"verify", milliseconds(times.verify)}}}};
}

}  // namespace

std::string memory_text(const MemoryUse& memory) {
  return fmt::format("{} charged at most{}, of {}; {} resident at most", human_text(memory.charged),
                     memory.kept.zero() ? "" : fmt::format(", {} of it {}", human_text(memory.kept), kept_for_critical),
                     human_text(memory.budget), human_text(memory.resident));
}

MemoryUse memory_use(const Snapshot& snapshot) {
  MemoryUse use{{}, {}, {}, peak_resident()};
  for (const auto& space : snapshot.spaces) {
    if (space.name != SpaceId::host().text()) continue;
    use.charged = space.high_water;
    use.budget = space.budget;
    for (const auto& holding : space.holdings)
      if (holding.purpose == kept_for_critical) use.kept = holding.reserved;
  }
  return use;
}

void print_result(Console& console, const ProveResult& result, const MemoryUse& memory) {
  console.print(fmt::format("{}  ({}, {})\n", console.styled(Style::bold, result.title), result.kind,
                            human_text(result.elapsed)));
  console.print(stage_rows(result).text(console));
  console.print(fmt::format("Share is of the {}, while at least one ran; Total adds up all of them.",
                            human_text(result.elapsed)));
  console.print((result.proof.empty() ? "parts     " : "proof     ") + what_was_made(result));
  console.print(fmt::format("sha256    {}", result.sha256));
  print_origin(console, {&result, 1}, memory);
  if (result.degraded) console.warn("made by a backend that is not the first of the configuration");
}

void print_results(Console& console, std::span<const ProveResult> results, const MemoryUse& memory) {
  constexpr unsigned deepest = 2;  // the pipeline's own stages
  std::vector<Table::Column> columns{{"Stage"}};
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;  // a stage, and its time in each result
  for (std::size_t i = 0; i < results.size(); ++i) {
    columns.push_back({results[i].kind, Table::Align::right});
    for (const auto& stage : results[i].stages) {
      if (stage.depth > deepest) continue;
      const auto name = std::string(std::size_t{2} * stage.depth, ' ') + stage.name;
      auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.first == name; });
      if (row == rows.end()) row = rows.insert(rows.end(), {name, std::vector<std::string>(results.size())});
      row->second[i] = human_text(stage.covered);
    }
  }
  Table table(std::move(columns));
  for (auto& [name, times] : rows) {
    std::vector<Table::Cell> cells{name};
    cells.insert(cells.end(), times.begin(), times.end());
    table.row(std::move(cells));
  }
  console.print(table.text(console));
  for (const auto& result : results)
    console.print(fmt::format("{}: {}\n          sha256 {}", result.title, what_was_made(result), result.sha256));
  print_origin(console, results, memory);
}

ordered_json to_json(const ProveResult& result, const MemoryUse& memory) {
  auto stages = ordered_json::array();
  for (const auto& stage : result.stages) {
    stages.push_back({{"name", stage.name},
                      {"depth", stage.depth},
                      {"count", stage.count},
                      {"total_ms", milliseconds(stage.total)},
                      {"longest_ms", milliseconds(stage.longest)},
                      {"covered_ms", milliseconds(stage.covered)},
                      {"bytes", stage.bytes.count()}});
  }
  auto parts = ordered_json::array();
  for (const auto& part : result.parts) parts.push_back(to_json(part));
  return {{"job", result.job},
          {"kind", result.kind},
          {"title", result.title},
          {"verified", true},  // nothing that does not verify leaves the host
          {"proof", hex_text(result.proof)},
          {"sha256", result.sha256},
          {"partitions", result.partitions},
          {"parts", parts},
          {"elapsed_ms", milliseconds(result.elapsed)},
          {"stages", stages},
          {"plugins", result.plugins},
          {"degraded", result.degraded},
          {"memory",
           {{"charged_max", memory.charged.count()},
            {"kept_for_critical", memory.kept.count()},
            {"budget", memory.budget.count()},
            {"resident_max", memory.resident.count()}}}};
}

std::string hex_text(std::span<const std::uint8_t> bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace pinion::host::cli
