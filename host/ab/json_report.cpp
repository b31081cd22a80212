#include <nlohmann/json.hpp>
#include <pinion/host/ab/json_report.hpp>
#include <pinion/host/ab/words.hpp>

namespace pinion::host::ab {
namespace {

using nlohmann::ordered_json;

const char* load_name(Load load) {
  return load == Load::busy ? "busy" : "idle";
}
const char* side_name(Side side) {
  return side == Side::a ? "A" : "B";
}

template <class T>
ordered_json maybe(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}
ordered_json maybe(const std::optional<Interval>& interval) {
  return interval ? ordered_json::array({interval->low, interval->high}) : ordered_json(nullptr);
}
ordered_json maybe(const std::optional<Summary>& summary) {
  if (!summary) return nullptr;
  return {{"median", summary->median},
          {"interval", {summary->interval.low, summary->interval.high}},
          {"values", summary->values}};
}

// {"A": …, "B": …}.
template <class Pair, class Make>
ordered_json sides(const Pair& pair, Make make) {
  return {{"A", make(pair[0])}, {"B", make(pair[1])}};
}
template <class T>
ordered_json maybe_sides(const std::array<std::optional<T>, 2>& pair) {
  return sides(pair, [](const auto& one) { return maybe(one); });
}

ordered_json to_json(const Comparison& one) {
  return {{"path", one.path},
          {"seconds", maybe_sides(one.sides)},
          {"bytes", {{"A", one.bytes[0]}, {"B", one.bytes[1]}}},
          {"share", maybe(one.share)},
          {"interval", maybe(one.interval)},
          {"p", one.p},
          {"p_adjusted", one.p_adjusted},
          {"verdict", verdict_name(one.verdict)},
          {"pairs_needed", maybe(one.pairs_needed)},
          {"detectable_share", maybe(one.detectable)}};
}

ordered_json to_json(const JobFindings& found, const Record& record) {
  auto stages = ordered_json::array();
  for (const Comparison& stage : found.stages) stages.push_back(to_json(stage));
  return {{"job", record.jobs[found.job]},
          {"load", load_name(found.load)},
          {"pool_made_anew", found.cold},
          {"pairs", found.pairs},
          {"total", to_json(found.total)},
          {"conclusion", conclusion(found)},
          {"stages", stages},
          {"rss_peak_bytes", maybe_sides(found.rss)},
          {"device_busy", maybe_sides(found.device_busy)},
          {"load_bytes_per_second", maybe_sides(found.load_rate)}};
}

ordered_json to_json(const Run& run, const Record& record) {
  auto stages = ordered_json::array();
  for (const StageTime& stage : run.stages)
    stages.push_back({{"path", stage.path}, {"seconds", stage.seconds}, {"bytes", stage.bytes}});
  return {{"job", record.jobs[run.job]},
          {"load", load_name(run.load)},
          {"warm_up", run.warm_up},
          {"seconds", run.seconds},
          {"proof_sha256", run.proof},
          {"devices", run.devices},
          {"formats", run.formats},
          {"rss_peak_bytes", run.rss_peak},
          {"fallback_uses", run.fallback_uses},
          {"device_busy", maybe(run.device_busy)},
          {"load_bytes_per_second", run.load_bytes_per_second},
          {"stages", stages}};
}

ordered_json to_json(const SideFacts& side, const Record& record) {
  auto buffers = ordered_json::object();
  for (std::size_t job = 0; job < side.buffers.size(); ++job) {
    auto& list = buffers[record.jobs[job]] = ordered_json::array();
    for (const BufferSeen& buffer : side.buffers[job])
      list.push_back({{"purpose", buffer.purpose},
                      {"kind", buffer.kind()},
                      {"stated", buffer.stated},
                      {"seen", buffer.seen.empty() ? ordered_json(nullptr) : ordered_json(buffer.seen)},
                      {"bytes", buffer.bytes}});
  }
  return {{"file", side.file}, {"settings", side.settings}, {"allocator", side.allocator}, {"buffers", buffers}};
}

ordered_json to_json(const Steadiness& steady) {
  return {{"turns", steady.turns},
          {"median_seconds", steady.median},
          {"spread", steady.spread},
          {"drift", steady.drift},
          {"noisy", steady.noisy()}};
}

ordered_json turns_json(const Record& record) {
  auto turns = ordered_json::array();
  for (const TurnRecord& turn : record.turns) {
    auto runs = ordered_json::array();
    for (const Run& run : turn.runs) runs.push_back(to_json(run, record));
    turns.push_back({{"pair", turn.turn.pair},
                     {"side", side_name(turn.turn.side)},
                     {"control_seconds", turn.control},
                     {"swap_seconds", turn.swap_seconds},
                     {"swap_bytes", turn.swap_bytes},
                     {"runs", runs}});
  }
  return turns;
}

}  // namespace

ordered_json json_report(const Record& record, const Findings& findings) {
  auto machine = ordered_json::object();
  for (const Fact& fact : record.machine) machine[fact.name] = fact.value;
  auto loads = ordered_json::array();
  for (const Load load : record.loads) loads.push_back(load_name(load));
  auto jobs = ordered_json::array();
  for (const JobFindings& found : findings.jobs) jobs.push_back(to_json(found, record));
  return {{"schema", "pinion.ab/1"},
          {"complete", record.ended.ok()},
          {"interrupted", record.interrupted()},
          {"ended", record.ended.message()},
          {"seed", std::to_string(record.seed)},  // beyond what a JSON number holds exactly
          {"pairs", record.pairs},
          {"confidence", confidence},
          {"loads", loads},
          {"load_threads", record.load_threads},
          {"machine", machine},
          {"sides", sides(record.sides, [&](const SideFacts& side) { return to_json(side, record); })},
          {"warnings", findings.warnings},
          {"findings", jobs},
          {"swap_seconds", maybe_sides(findings.swap)},
          {"control", to_json(findings.steadiness)},
          {"device_usage_not_reported_by", record.silent_devices},
          {"label_notes", label_notes(record)},
          {"turns", turns_json(record)}};
}

}  // namespace pinion::host::ab
