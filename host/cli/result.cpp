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
               fmt::format("{:.0f} %", 100 * static_cast<double>(stage.total.count()) / whole),
               stage.bytes.zero() ? "" : human_text(stage.bytes)});
  }
  return table;
}

// "backend-x device 0 (…), witness", each that made a part, once.
std::vector<std::string> makers_of(const ProveResult& result) {
  std::vector<std::string> makers;
  for (const auto& part : result.parts) {
    auto maker = fmt::format("{}, {}", part.device, short_format(part.format));
    if (std::find(makers.begin(), makers.end(), maker) == makers.end()) makers.push_back(std::move(maker));
  }
  return makers;
}

std::string what_was_made(const ProveResult& result) {
  if (!result.proof.empty()) return fmt::format("proof     {} bytes, verified", result.proof.size());
  return fmt::format("parts     {} of {}, each verified", result.parts.size(), result.partitions);
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

MemoryUse memory_use(const Snapshot& snapshot) {
  MemoryUse use{{}, {}, peak_resident()};
  for (const auto& space : snapshot.spaces) {
    if (space.name != SpaceId::host().text()) continue;
    use.charged = space.high_water;
    use.budget = space.budget;
  }
  return use;
}

void print_result(Console& console, const ProveResult& result, const MemoryUse& memory) {
  console.print(fmt::format("{}  ({}, {})\n", console.styled(Style::bold, result.title), result.kind,
                            human_text(result.elapsed)));
  console.print(stage_rows(result).text(console));
  console.print(what_was_made(result));
  console.print(fmt::format("sha256    {}", result.sha256));
  for (const auto& maker : makers_of(result)) console.print("made by   " + maker);
  console.print(fmt::format("plugins   {}", fmt::join(result.plugins, ", ")));
  console.print(fmt::format("memory    {} charged at most, of {}; {} resident at most", human_text(memory.charged),
                            human_text(memory.budget), human_text(memory.resident)));
  if (result.degraded) console.warn("made by a backend that is not the first of the configuration");
}

ordered_json to_json(const ProveResult& result, const MemoryUse& memory) {
  auto stages = ordered_json::array();
  for (const auto& stage : result.stages) {
    stages.push_back({{"name", stage.name},
                      {"depth", stage.depth},
                      {"count", stage.count},
                      {"total_ms", milliseconds(stage.total)},
                      {"longest_ms", milliseconds(stage.longest)},
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
            {"budget", memory.budget.count()},
            {"resident_max", memory.resident.count()}}}};
}

std::string hex_text(std::span<const std::uint8_t> bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace pinion::host::cli
