#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <pinion/host/report/trace.hpp>
#include <vector>

namespace pinion::host {
namespace {

using nlohmann::ordered_json;

enum class Group : int { jobs = 1, devices, threads };

// Where a span stands; tracks are shown in this order.
struct TrackKey {
  Group group;
  std::string name;                          // of the job, device or thread
  std::optional<std::uint32_t> partition{};  // of the job; by number, so that 10 comes after 9
  auto operator<=>(const TrackKey&) const = default;

  std::string text() const { return partition ? fmt::format("{} partition {}", name, *partition) : name; }
};

// Viewers take a thread whose number is its process's for the main one, so that tracks are numbered beyond the groups.
constexpr std::uint64_t first_track = 100;

// Microseconds, exact to the nanosecond, as the text of a JSON number.
std::string microseconds(std::chrono::nanoseconds time) {
  return fmt::format("{}.{:03}", time.count() / 1000, time.count() % 1000);
}

// The device of a span: its own, or that of the nearest span around it.
class DeviceOf {
 public:
  explicit DeviceOf(std::span<const SpanRecord> records) {
    for (const SpanRecord& record : records) by_id_[record.id.number()] = &record;
  }
  const std::string& operator()(const SpanRecord& record) const {
    const SpanRecord* at = &record;
    while (at->device.empty()) {
      const auto parent = by_id_.find(at->parent.number());
      if (parent == by_id_.end() || parent->second->id >= at->id) break;  // ids grow: no endless chains
      at = parent->second;
    }
    return at->device;
  }

 private:
  std::map<std::uint64_t, const SpanRecord*> by_id_;
};

// Spreads spans over as few lanes as it takes for those of one lane to nest.
std::vector<std::vector<const SpanRecord*>> lanes_of(std::vector<const SpanRecord*> spans) {
  std::sort(spans.begin(), spans.end(), [](const SpanRecord* a, const SpanRecord* b) {
    if (a->begin != b->begin) return a->begin < b->begin;
    return a->end != b->end ? a->end > b->end : a->id < b->id;
  });
  struct Lane {
    std::vector<const SpanRecord*> spans, open;
  };
  std::vector<Lane> lanes;
  for (const SpanRecord* span : spans) {
    const auto takes = [&](Lane& lane) {
      while (!lane.open.empty() && lane.open.back()->end <= span->begin) lane.open.pop_back();
      return lane.open.empty() || span->end <= lane.open.back()->end;
    };
    auto lane = std::find_if(lanes.begin(), lanes.end(), takes);
    if (lane == lanes.end()) lane = lanes.insert(lanes.end(), Lane{});
    lane->spans.push_back(span);
    lane->open.push_back(span);
  }
  std::vector<std::vector<const SpanRecord*>> out;
  for (Lane& lane : lanes) out.push_back(std::move(lane.spans));
  return out;
}

class Writer {
 public:
  explicit Writer(TimePoint zero) : zero_(zero) {}

  void name_group(Group group, const char* name) {
    event({{"name", "process_name"}, {"ph", "M"}, {"pid", static_cast<int>(group)}, {"args", {{"name", name}}}});
    event({{"name", "process_sort_index"},
           {"ph", "M"},
           {"pid", static_cast<int>(group)},
           {"args", {{"sort_index", static_cast<int>(group)}}}});
  }

  void track(Group group, const std::string& name, const std::vector<const SpanRecord*>& spans) {
    const std::uint64_t tid = next_track_++;
    event({{"name", "thread_name"},
           {"ph", "M"},
           {"pid", static_cast<int>(group)},
           {"tid", tid},
           {"args", {{"name", name}}}});
    event({{"name", "thread_sort_index"},
           {"ph", "M"},
           {"pid", static_cast<int>(group)},
           {"tid", tid},
           {"args", {{"sort_index", tid}}}});
    for (const SpanRecord* span : spans) complete(group, tid, *span);
  }

  std::string finish(std::uint64_t dropped) {
    return fmt::format(
        "{{\"displayTimeUnit\": \"ms\", \"otherData\": {{\"dropped_spans\": \"{}\"}},\n\"traceEvents\": [\n{}\n]}}\n",
        dropped, events_);
  }

 private:
  static std::string text(const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  }
  void event(const ordered_json& json) { append(text(json)); }
  void append(const std::string& line) {
    if (!events_.empty()) events_ += ",\n";
    events_ += line;
  }

  void complete(Group group, std::uint64_t tid, const SpanRecord& span) {
    ordered_json args = ordered_json::object();
    if (!span.owner.job.empty()) args["job"] = span.owner.job;
    if (span.owner.partition) args["partition"] = *span.owner.partition;
    if (!span.owner.plugin.empty()) args["plugin"] = span.owner.plugin;
    if (!span.bytes.zero()) {
      args["bytes"] = span.bytes.count();
      args["GB/s"] = std::stod(fmt::format("{:.3f}", span.rate() / 1e9));
    }
    append(
        fmt::format(R"({{"name": {}, "cat": "{}", "ph": "X", "ts": {}, "dur": {}, "pid": {}, "tid": {}, "args": {}}})",
                    text(span.name), span.owner.plugin.empty() ? "host" : "plugin", microseconds(span.begin - zero_),
                    microseconds(span.duration()), static_cast<int>(group), tid, text(args)));
  }

  const TimePoint zero_;
  std::uint64_t next_track_ = first_track;
  std::string events_;
};

}  // namespace

std::string trace_text(std::span<const SpanRecord> records, std::uint64_t dropped) {
  const DeviceOf device_of(records);
  std::map<TrackKey, std::vector<const SpanRecord*>> tracks;
  TimePoint zero = records.empty() ? TimePoint() : records.front().begin;
  for (const SpanRecord& record : records) {
    zero = std::min(zero, record.begin);
    const std::string job = record.owner.job.empty() ? "host" : record.owner.job;
    tracks[{Group::jobs, job, record.owner.partition}].push_back(&record);
    if (const std::string& device = device_of(record); !device.empty())
      tracks[{Group::devices, device}].push_back(&record);
    if (!record.moved) tracks[{Group::threads, fmt::format("thread {:>3}", record.thread)}].push_back(&record);
  }
  Writer writer(zero);
  writer.name_group(Group::jobs, "jobs");
  writer.name_group(Group::devices, "devices");
  writer.name_group(Group::threads, "threads");
  for (auto& [key, spans] : tracks) {
    const auto lanes = lanes_of(std::move(spans));
    for (std::size_t i = 0; i < lanes.size(); ++i)
      writer.track(key.group, i == 0 ? key.text() : fmt::format("{} ({})", key.text(), i + 1), lanes[i]);
  }
  return writer.finish(dropped);
}

}  // namespace pinion::host
