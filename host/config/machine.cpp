#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/base/proc_text.hpp>
#include <pinion/host/config/machine.hpp>
#include <pinion/printable.hpp>
#include <string_view>

#include "cgroup.hpp"

namespace pinion::host {
namespace {

// Version 1 writes the largest multiple of a page below 2^63 for "no limit"; no machine has a quarter of that.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 61;

// Not a defect of this program: /proc is not mounted, hidden, or another kernel's.
Status unusable(const std::string& file, bool readable, std::string_view what) {
  if (!readable)
    return Status(Code::invalid_config,
                  fmt::format("{} cannot be read, which says how much of the machine pinion may use: mount {} (in a "
                              "container: do not hide it)",
                              file, file.substr(0, file.find('/', 1))));
  return Status(Code::invalid_config, fmt::format("{} does not hold {}: is it Linux's?", file, what));
}

// How many CPUs a list such as "0-3,8" names; 0 when it is no such list.
std::uint32_t count_cpus(std::string_view list) {
  std::uint64_t count = 0;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string_view part = list.substr(0, end);
    const std::size_t dash = part.find('-');
    const auto first = number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last > UINT16_MAX) return 0;
    count += *last - *first + 1;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return count > UINT16_MAX ? 0 : static_cast<std::uint32_t>(count);
}

// The limit in one group's file; zero for none, including a group that has no such file.
Result<Bytes> memory_limit(const std::string& root, const std::string& file) {
  const auto text = read_small_file(root + file);
  if (!text || trimmed(*text) == "max") return Bytes();
  const auto limit = number(trimmed(*text));
  if (!limit) return unusable(file, true, "a number of bytes or \"max\"");
  return *limit >= kNoLimit ? Bytes() : Bytes(*limit);
}

// What a group has used of its limit, without the page cache, which the kernel drops when the group needs it. Nothing
// when the kernel does not say.
std::optional<Bytes> memory_used(const std::string& root, const CgroupFolder& folder) {
  const auto text = read_small_file(root + folder.path + (folder.v2 ? "/memory.current" : "/memory.usage_in_bytes"));
  const auto used = text ? number(trimmed(*text)) : std::nullopt;
  if (!used) return std::nullopt;
  const auto stat = read_small_file(root + folder.path + "/memory.stat");
  Bytes cache;
  for (const char* name : {"active_file", "inactive_file"})
    if (const auto part = stat ? counter(*stat, folder.v2 ? name : std::string("total_") + name) : std::nullopt)
      cache = checked_add(cache, Bytes(*part)).value_or(cache);
  return checked_sub(Bytes(*used), cache).value_or(Bytes());
}

// One group's limit, and what is left of it, into what is known of the groups below.
void add_group(MachineMemory& machine, const std::string& root, const CgroupFolder& folder, const MemoryFact& limit) {
  if (!machine.cgroup || machine.cgroup->bytes > limit.bytes) machine.cgroup = limit;
  const auto used = memory_used(root, folder);
  if (!used) return;
  const Bytes left = checked_sub(limit.bytes, *used).value_or(Bytes());
  if (machine.cgroup_available && machine.cgroup_available->bytes <= left) return;
  machine.cgroup_available = MemoryFact{left, limit.source + " minus what is used"};
}

struct Quota {
  std::uint64_t quota = 0;  // 0: none
  std::uint64_t period = 0;
  std::string file;
};

Result<Quota> cpu_quota(const std::string& root, const CgroupFolder& folder) {
  std::string file = folder.path + (folder.v2 ? "/cpu.max" : "/cpu.cfs_quota_us");
  const auto text = read_small_file(root + file);
  if (!text) return Quota{};
  std::string_view quota = trimmed(*text);
  std::string_view period;
  std::optional<std::string> period_text;
  if (folder.v2) {
    const std::size_t space = std::min(quota.find(' '), quota.size());
    period = trimmed(quota.substr(space));
    quota = quota.substr(0, space);
  } else {
    period_text = read_small_file(root + folder.path + "/cpu.cfs_period_us");
    if (period_text) period = trimmed(*period_text);
  }
  if (quota == "max" || quota == "-1") return Quota{};
  const auto quota_us = number(quota);
  const auto period_us = number(period);
  if (!quota_us || !period_us || *quota_us == 0 || *period_us == 0) return unusable(file, true, "a quota and a period");
  return Quota{*quota_us, *period_us, std::move(file)};
}

std::string fact_text(const MemoryFact& fact) {
  return fmt::format("{} ({})", human_text(fact.bytes), fact.source);
}

}  // namespace

MemoryFact MachineMemory::limit() const {
  return cgroup && cgroup->bytes < total.bytes ? *cgroup : total;
}

std::optional<MemoryFact> MachineMemory::free_now() const {
  if (available.bytes.zero()) return cgroup_available;
  return cgroup_available && cgroup_available->bytes < available.bytes ? *cgroup_available : available;
}

std::uint32_t MachineThreads::count() const {
  std::uint32_t least = std::min(hardware, affinity);
  if (quota) least = std::min(least, *quota);
  return std::max(least, std::uint32_t{1});
}

std::string MachineThreads::reason() const {
  auto text = fmt::format("{} processor{}", hardware, hardware == 1 ? "" : "s");
  if (affinity < hardware) text += fmt::format(", {} allowed to this process", affinity);
  if (quota) text += fmt::format(", quota of {} from {}", *quota, shown(quota_source));
  return text;
}

std::optional<std::string> thread_excess(const PipelineConfig& pipeline, const MachineThreads& machine) {
  const auto wanted = *pipeline.threads;
  if (!wanted || *wanted <= machine.count()) return std::nullopt;
  return fmt::format("pipeline.threads = {} ({}), but {} can run at once ({}): they take turns", *wanted,
                     pipeline.threads.origin.text(), machine.count(), machine.reason());
}

Result<MachineMemory> read_machine_memory(const std::string& root) {
  const std::string meminfo = "/proc/meminfo";
  const auto text = read_small_file(root + meminfo);
  const auto total = text ? kilobytes(*text, "MemTotal") : std::nullopt;
  if (!total) return unusable(meminfo, text.has_value(), "a line \"MemTotal: N kB\"");
  MachineMemory machine;
  machine.total = {*total, meminfo + " MemTotal"};
  machine.available = {kilobytes(*text, "MemAvailable").value_or(Bytes()), meminfo + " MemAvailable"};
  for (const CgroupFolder& folder : cgroup_folders(root, "memory")) {
    const std::string file = folder.path + (folder.v2 ? "/memory.max" : "/memory.limit_in_bytes");
    const Result<Bytes> limit = memory_limit(root, file);
    if (!limit) return limit.status();
    if (!limit->zero()) add_group(machine, root, folder, {*limit, file});
  }
  return machine;
}

Result<MachineThreads> read_machine_threads(const std::string& root) {
  const std::string online = "/sys/devices/system/cpu/online";
  const std::string status = "/proc/self/status";
  MachineThreads threads;
  const auto online_text = read_small_file(root + online);
  const auto status_text = read_small_file(root + status);
  const auto allowed_list = status_text ? field(*status_text, "Cpus_allowed_list") : std::nullopt;
  threads.hardware = online_text ? count_cpus(trimmed(*online_text)) : 0;
  threads.affinity = allowed_list ? count_cpus(*allowed_list) : 0;
  if (threads.hardware == 0 && threads.affinity == 0)
    return unusable(online, online_text.has_value(), "a list of CPUs such as \"0-15\"");
  if (threads.hardware == 0) threads.hardware = threads.affinity;
  if (threads.affinity == 0) threads.affinity = threads.hardware;
  for (const CgroupFolder& folder : cgroup_folders(root, "cpu")) {
    const Result<Quota> quota = cpu_quota(root, folder);
    if (!quota) return quota.status();
    if (quota->quota == 0) continue;
    const std::uint64_t cpus = quota->quota / quota->period + (quota->quota % quota->period != 0 ? 1 : 0);
    if (threads.quota && *threads.quota <= cpus) continue;
    threads.quota = static_cast<std::uint32_t>(std::min<std::uint64_t>(cpus, UINT16_MAX));
    threads.quota_source = quota->file;
  }
  return threads;
}

Result<BudgetDecision> decide_budget(const MemoryConfig& memory, const MachineMemory& machine) {
  BudgetDecision decision;
  const MemoryFact limit = machine.limit();
  decision.margin = *memory.safety_margin;
  const Bytes half(limit.bytes.count() / 2);
  if (memory.safety_margin.origin.source == Origin::Source::built_in && decision.margin > half) {
    decision.margin = half;
    decision.warnings.push_back(fmt::format("the default safety_margin of {} is more than half of {}; {} are kept free",
                                            human_text(*memory.safety_margin), fact_text(limit), human_text(half)));
  }
  const Bytes allowed = checked_sub(limit.bytes, decision.margin).value_or(Bytes());
  if (allowed.zero()) {
    return Status(Code::invalid_config,
                  fmt::format("memory.safety_margin = {} ({}) leaves nothing of {}: make it smaller",
                              exact_text(decision.margin), memory.safety_margin.origin.text(), fact_text(limit)));
  }
  const std::string machine_text =
      fmt::format("{} minus safety_margin {}", fact_text(limit), human_text(decision.margin));
  if (const auto& wanted = memory.budget.value) {
    const std::string wanted_text =
        fmt::format("memory.budget = {} ({})", exact_text(*wanted), memory.budget.origin.text());
    decision.budget = std::min(*wanted, allowed);
    decision.reason = *wanted <= allowed ? wanted_text : machine_text;
    if (*wanted > allowed) {
      decision.warnings.push_back(fmt::format("{} is more than this machine allows: {}; {} are used", wanted_text,
                                              machine_text, human_text(allowed)));
    }
  } else {
    decision.budget = allowed;
    decision.reason = machine_text;
  }
  return decision;
}

}  // namespace pinion::host
