#include <fmt/format.h>

#include <pinion/host/base/units.hpp>
#include <pinion/host/cli/doctor/limits.hpp>
#include <pinion/host/config/machine.hpp>

namespace pinion::host::cli {

using Level = Finding::Level;

Findings examine_memory(const MemoryConfig& memory, const std::string& root) {
  const auto machine = read_machine_memory(root);
  if (!machine) return {{Level::fail, "memory", machine.status().message(), "is /proc mounted?"}};
  const auto limit = machine->cgroup ? fmt::format(", limited to {} by {}", human_text(machine->cgroup->bytes),
                                                   machine->cgroup->source)
                                     : std::string();
  Findings findings{
      {Level::pass, "memory",
       fmt::format("{}, {} available{}", human_text(machine->total.bytes), human_text(machine->available.bytes), limit),
       ""}};
  const auto decision = decide_budget(memory, *machine);
  if (!decision) {
    findings.push_back({Level::fail, "memory budget", decision.status().message(), "lower memory.safety_margin"});
    return findings;
  }
  const auto found = fmt::format("{}: {}", human_text(decision->budget), decision->reason);
  if (machine->available.bytes < decision->budget) {
    findings.push_back({Level::warn, "memory budget", found,
                        fmt::format("only {} are available now: what else runs here will have to give way",
                                    human_text(machine->available.bytes))});
  } else {
    findings.push_back({Level::pass, "memory budget", found, ""});
  }
  for (const auto& warning : decision->warnings) findings.push_back({Level::warn, "memory budget", warning, ""});
  return findings;
}

Finding examine_threads(const std::string& root) {
  const auto threads = read_machine_threads(root);
  if (!threads) return {Level::warn, "threads", threads.status().message(), "set pipeline.threads"};
  auto found = fmt::format("{}: {} processors", threads->count(), threads->hardware);
  if (threads->affinity < threads->hardware) found += fmt::format(", {} allowed to this process", threads->affinity);
  if (threads->quota) found += fmt::format(", quota of {} from {}", *threads->quota, threads->quota_source);
  return {Level::pass, "threads", found, ""};
}

}  // namespace pinion::host::cli
