#include <map>
#include <nlohmann/json.hpp>
#include <pinion/host/report/snapshot.hpp>

namespace pinion::host {
namespace {

using nlohmann::json;

json owner_json(const Owner& owner) {
  json out = json::object();
  if (!owner.job.empty()) out["job"] = owner.job;
  if (owner.partition) out["partition"] = *owner.partition;
  if (!owner.plugin.empty()) out["plugin"] = owner.plugin;
  return out;
}

json holding_json(const HoldingStatus& holding) {
  json out = {{"purpose", holding.purpose},
              {"owner", owner_json(holding.owner)},
              {"requested", holding.requested.count()},
              {"reserved", holding.reserved.count()}};
  if (!holding.kind.empty()) out["kind"] = holding.kind;
  if (!holding.state.empty()) out["state"] = holding.state;
  if (!holding.seen.empty()) out["seen"] = holding.seen;
  return out;
}

json resident_json(const ResidentStatus& resident) {
  json out = {{"id", resident.id},
              {"plugin", resident.plugin},
              {"state", resident.state},
              {"bytes", resident.bytes.count()},
              {"users", resident.users}};
  if (resident.idle) out["idle_ms"] = resident.idle->count();
  return out;
}

json waiting_json(const WaitingClaimStatus& claim) {
  return {{"owner", owner_json(claim.owner)},
          {"priority", claim.priority},
          {"ticket", claim.ticket},
          {"bytes", claim.bytes.count()},
          {"waited_ms", claim.waited.count()}};
}

json slab_json(const SlabStatus& slab) {
  json out = {{"bytes", slab.bytes.count()}, {"kind", slab.kind}, {"leases", slab.leases}, {"labels", slab.labels}};
  if (!slab.stuck.empty()) out["stuck"] = slab.stuck;
  if (!slab.seen.empty()) out["seen"] = slab.seen;
  return out;
}

json handover_json(const HandoverStatus& handover) {
  return {{"from", handover.from}, {"to", handover.to}, {"count", handover.count}};
}

template <class Range, class Convert>
json array_of(const Range& range, Convert convert) {
  json out = json::array();
  for (const auto& item : range) out.push_back(convert(item));
  return out;
}

json purposes_json(const SpaceStatus& space) {
  std::map<std::string, std::uint64_t> sums;
  for (const HoldingStatus& holding : space.holdings) sums[holding.purpose] += holding.reserved.count();
  for (const ResidentStatus& resident : space.residents) sums["residents"] += resident.bytes.count();
  return sums;
}

json owners_json(const SpaceStatus& space) {
  std::map<std::string, std::uint64_t> sums;
  for (const HoldingStatus& holding : space.holdings) sums[holding.owner.text()] += holding.reserved.count();
  for (const ResidentStatus& resident : space.residents) sums["plugin " + resident.plugin] += resident.bytes.count();
  return sums;
}

json sums_json(const std::map<std::string, Bytes>& sums) {
  json out = json::object();
  for (const auto& [what, bytes] : sums) out[what] = bytes.count();
  return out;
}

// What only the host's space has.
void add_host_json(json& out, const SpaceStatus& space) {
  out["pinned"] = {{"limit", space.pinned.limit.count()},
                   {"used", space.pinned.used.count()},
                   {"high_water", space.pinned.high_water.count()}};
  out["warm"] = {{"state", space.warm.state},
                 {"wanted", space.warm.wanted.count()},
                 {"made", space.warm.made.count()},
                 {"reason", space.warm.reason}};
}

// `beyond` is what is resident beyond what is charged; negative when charged bytes are not touched yet.
json process_json(const ProcessStatus& process, Bytes charged) {
  const auto signed_of = [](Bytes bytes) { return static_cast<std::int64_t>(bytes.count()); };
  return {{"rss_anon", process.anonymous.count()},
          {"rss_shmem", process.shared.count()},
          {"rss_file", process.file.count()},
          {"rss_peak", process.peak.count()},
          {"mlocked", process.locked.count()},
          {"charged", charged.count()},
          {"beyond_charged", signed_of(process.anonymous) + signed_of(process.shared) - signed_of(charged)}};
}

json device_json(const DeviceStatus& device) {
  json out = {{"label", device.label},       {"address", device.address},
              {"usable", device.usable},     {"reason", device.reason},
              {"partitions", device.in_use}, {"self_check_failures", device.self_check_failures},
              {"busy_seconds", nullptr},     {"memory", device.memory.count()}};
  if (device.busy) out["busy_seconds"] = std::chrono::duration<double>(*device.busy).count();
  return out;
}

json partition_json(const PartitionStatus& partition) {
  return {{"index", partition.index},
          {"state", partition.state},
          {"device", partition.device},
          {"attempts", partition.attempts},
          {"in_state_ms", partition.in_state.count()}};
}

json job_json(const JobStatus& job) {
  return {{"id", job.id},
          {"kind", job.kind},
          {"state", job.state},
          {"error", job.error},
          {"priority", job.priority},
          {"age_ms", job.age.count()},
          {"partitions", array_of(job.partitions, partition_json)}};
}

json plugin_json(const PluginStatus& plugin) {
  return {{"id", plugin.id},       {"version", plugin.version}, {"path", plugin.path},
          {"state", plugin.state}, {"reason", plugin.reason},   {"strikes", plugin.strikes}};
}

}  // namespace

std::map<std::string, Bytes> stuck_by_reason(const SpaceStatus& space) {
  std::map<std::string, Bytes> sums;
  for (const SlabStatus& slab : space.slabs)
    if (!slab.stuck.empty()) sums[slab.stuck] += slab.bytes;
  return sums;
}

std::map<std::string, Bytes> not_as_stated(const SpaceStatus& space) {
  std::map<std::string, Bytes> sums;
  for (const SlabStatus& slab : space.slabs)
    if (!slab.seen.empty() && slab.seen != slab.kind)
      sums["stated " + slab.kind + ", the device sees " + slab.seen] += slab.bytes;
  return sums;
}

json to_json(const SpaceStatus& space) {
  json out = {{"name", space.name},
              {"budget", space.budget.count()},
              {"budget_source", space.budget_source},
              {"used", space.used.count()},
              {"high_water", space.high_water.count()},
              {"idle", space.idle.count()},
              {"stuck", space.stuck.count()},
              {"stuck_by_reason", sums_json(stuck_by_reason(space))},
              {"not_as_stated", sums_json(not_as_stated(space))},
              {"by_purpose", purposes_json(space)},
              {"by_owner", owners_json(space)},
              {"holdings", array_of(space.holdings, holding_json)},
              {"residents", array_of(space.residents, resident_json)},
              {"waiting", array_of(space.waiting, waiting_json)},
              {"slabs", array_of(space.slabs, slab_json)},
              {"handovers", array_of(space.handovers, handover_json)},
              {"slabs_made", space.slabs_made},
              {"slabs_reused", space.slabs_reused},
              {"slabs_released", space.slabs_released},
              {"fallback_uses", space.fallback_uses},
              {"resident_loads", space.resident_loads},
              {"resident_hits", space.resident_hits},
              {"evicted_residents", space.evicted_residents}};
  if (!space.pinned.limit.zero()) add_host_json(out, space);
  return out;
}

json to_json(const Snapshot& snapshot) {
  json out = {{"version", snapshot.version},
              {"ready", snapshot.ready},
              {"degraded", snapshot.degraded},
              {"notes", snapshot.notes},
              {"spaces", array_of(snapshot.spaces, [](const SpaceStatus& space) { return to_json(space); })},
              {"devices", array_of(snapshot.devices, device_json)},
              {"jobs", array_of(snapshot.jobs, job_json)},
              {"plugins", array_of(snapshot.plugins, plugin_json)}};
  if (snapshot.process)
    out["process"] = process_json(*snapshot.process, snapshot.spaces.empty() ? Bytes() : snapshot.spaces.front().used);
  return out;
}

std::string json_text(const Snapshot& snapshot) {
  return to_json(snapshot).dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace pinion::host
