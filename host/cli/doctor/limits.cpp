#include <fmt/format.h>

#include <pinion/host/base/units.hpp>
#include <pinion/host/cli/doctor/limits.hpp>
#include <pinion/host/config/machine.hpp>

namespace pinion::host::cli {

using Level = Finding::Level;

Finding examine_memory(const std::string& root) {
  const auto machine = read_machine_memory(root);
  if (!machine) return {Level::fail, "memory", machine.status().message(), ""};
  const auto limit = machine->cgroup ? fmt::format(", limited to {} by {}", human_text(machine->cgroup->bytes),
                                                   machine->cgroup->source)
                                     : std::string();
  return {
      Level::pass, "memory",
      fmt::format("{}, {} available{}", human_text(machine->total.bytes), human_text(machine->available.bytes), limit),
      ""};
}

Findings examine_budget(const MemoryConfig& memory, const std::string& root) {
  const auto machine = read_machine_memory(root);
  if (!machine) return {};  // said of the memory
  const auto decision = decide_budget(memory, *machine);
  if (!decision) return {{Level::fail, "memory budget", decision.status().message(), "lower memory.safety_margin"}};
  Findings findings{
      {Level::pass, "memory budget", fmt::format("{}: {}", human_text(decision->budget), decision->reason), ""}};
  for (const auto& warning : decision->warnings) findings.push_back({Level::warn, "memory budget", warning, ""});
  return findings;
}

Finding examine_threads(const PipelineConfig& pipeline, const std::string& root) {
  const auto threads = read_machine_threads(root);
  if (!threads) return {Level::warn, "threads", threads.status().message(), "or set pipeline.threads"};
  const auto found = fmt::format("{}: {}", threads->count(), threads->reason());
  if (const auto excess = thread_excess(pipeline, *threads))
    return {Level::warn, "threads", *excess, "set pipeline.threads = \"auto\", or give pinion more processors"};
  return {Level::pass, "threads", found, ""};
}

}  // namespace pinion::host::cli
