// What a run tells about itself: spans on the tracks of a trace that viewers read, log lines, metrics.
#include <algorithm>
#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <pinion/host/report/trace.hpp>
#include <set>
#include <thread>

#include "host.hpp"

using namespace toy;
using Catch::Contains;
using nlohmann::json;

namespace {

struct Event {
  std::string name, track;
  double begin = 0, end = 0;
  json args;
};

// The complete events of a trace, with the names of their groups and tracks.
std::vector<Event> events_of(const std::string& trace) {
  const json document = json::parse(trace);
  std::map<int, std::string> groups;
  std::map<std::pair<int, int>, std::string> tracks;
  for (const json& event : document.at("traceEvents")) {
    if (event.at("name") == "process_name") groups[event.at("pid")] = event.at("args").at("name");
    if (event.at("name") == "thread_name") tracks[{event.at("pid"), event.at("tid")}] = event.at("args").at("name");
  }
  std::vector<Event> out;
  for (const json& event : document.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    const int pid = event.at("pid"), tid = event.at("tid");
    const double begin = event.at("ts"), duration = event.at("dur");
    CHECK(begin >= 0);
    CHECK(duration >= 0);
    out.push_back(
        {event.at("name"), groups.at(pid) + ": " + tracks.at({pid, tid}), begin, begin + duration, event.at("args")});
  }
  return out;
}

// On one track, of two spans one holds the other or they do not overlap; to the rounding of doubles.
void check_nesting(const std::vector<Event>& events) {
  constexpr double rounding = 0.01;  // us
  std::map<std::string, std::vector<const Event*>> by_track;
  for (const Event& event : events) by_track[event.track].push_back(&event);
  for (auto& [track, spans] : by_track) {
    std::stable_sort(spans.begin(), spans.end(),
                     [](auto* a, auto* b) { return std::pair(a->begin, -a->end) < std::pair(b->begin, -b->end); });
    std::vector<const Event*> open;
    for (const Event* span : spans) {
      while (!open.empty() && open.back()->end <= span->begin + rounding) open.pop_back();
      INFO(track << ": " << span->name << " in " << (open.empty() ? "nothing" : open.back()->name));
      CHECK((open.empty() || span->end <= open.back()->end + rounding));
      open.push_back(span);
    }
  }
}

const Event& find(const std::vector<Event>& events, const std::string& name, const std::string& track) {
  const auto at = std::find_if(events.begin(), events.end(),
                               [&](const Event& event) { return event.name == name && event.track == track; });
  INFO(name << " on " << track);
  REQUIRE(at != events.end());
  return *at;
}

}  // namespace

TEST_CASE("A trace has one track per job, partition, device and thread, and spans nest on each") {
  Host host(config("[plugin.toy-backend]\ndevices = 2\nstarts_in_flight = 2\nscript = [\"start:*:sleep5\"]"));
  Prover& prover = host.prover();
  std::atomic<unsigned> proved{0};  // Catch2's assertions are not for several threads at once
  {
    std::vector<std::jthread> clients;
    for (const std::uint64_t partitions : {5u, 3u, 1u})
      clients.emplace_back([&prover, &proved, partitions] { proved += prover.prove(request(partitions)).ok(); });
  }
  CHECK(proved == 3);
  const auto events = events_of(prover.trace());
  check_nesting(events);
  std::set<std::string> tracks;
  for (const Event& event : events) tracks.insert(event.track);
  for (const char* track : {"jobs: job-1", "jobs: job-1 partition 0", "devices: toy-backend device 0 (toy device)",
                            "devices: toy-backend device 1 (toy device)"}) {
    INFO(track);
    CHECK(tracks.contains(track));
  }
  CHECK(std::any_of(tracks.begin(), tracks.end(), [](const auto& track) { return track.starts_with("threads: "); }));
  const std::string partition = "jobs: job-1 partition 0";
  const Event& start = find(events, "start", partition);
  const Event& inside = find(events, "toy start", partition);  // the plugin's own
  CHECK(inside.begin >= start.begin);
  CHECK(inside.end <= start.end);
  CHECK(inside.args.at("plugin") == "toy-backend");
  for (const char* name : {"claim", "wait", "wait for device", "synthesize", "toy rows", "finish", "verify"})
    CHECK(find(events, name, partition).args.at("job") == "job-1");
  std::size_t on_devices = 0;
  for (const Event& event : events)
    on_devices += event.track.starts_with("devices: ") && (event.name == "start" || event.name == "finish");
  CHECK(on_devices == 2 * 9);
}

TEST_CASE("Spans tell bytes and their rate, in the trace, the metrics and the log") {
  Host host;
  REQUIRE(host.prover().prove(request(2)).ok());
  const auto rows = find(events_of(host.prover().trace()), "toy rows", "jobs: job-1 partition 0");
  CHECK(rows.args.at("bytes") == 20000 * 8);
  CHECK(rows.args.at("GB/s") > 0);
  std::map<std::string, std::uint64_t> metrics;
  for (const MetricSample& sample : host.prover().metrics())
    if (sample.labels.contains("span")) metrics[sample.name + " " + sample.labels.at("span")] = sample.count;
  CHECK(metrics["pinion_spans_total synthesize"] == 2);
  CHECK(metrics["pinion_span_bytes_total toy rows"] == 2 * 20000 * 8);
  CHECK(metrics["pinion_span_nanoseconds_total start"] > 0);
  std::size_t timings = 0;
  for (const auto& line : host.log.lines())
    timings += line.level == LogLevel::info &&
               line.text.starts_with("timing job-1 prove/partition/synthesize/toy rows: 2 in ") &&
               line.text.find("GB/s") != std::string::npos;
  CHECK(timings == 1);
}

// What the trace event format asks of every event, and what viewers make of numbers: threads are known by number alone,
// and one numbered as its process is taken for the main one.
TEST_CASE(
    "Every event of a trace has what its phase asks for, and tracks are numbered and sorted as they are to be shown") {
  std::vector<SpanRecord> records;
  for (const std::uint32_t partition : {10u, 2u, 0u}) {
    SpanRecord record;
    record.id = SpanId(partition + 1);
    record.name = "start";
    record.owner = {"job-1", partition, "toy"};
    record.device = "device 0";
    record.begin = TimePoint(std::chrono::milliseconds(partition));
    record.end = record.begin + std::chrono::microseconds(100);
    record.bytes = Bytes(1000);
    records.push_back(record);
  }
  const json document = json::parse(trace_text(records, 0));
  std::map<int, std::pair<int, std::string>> tracks;  // by number: its group and name
  std::map<int, int> sort;
  std::set<int> groups;
  for (const json& event : document.at("traceEvents")) {
    const int pid = event.at("pid").get<int>();
    if (event.at("ph") == "X") {
      for (const char* number : {"ts", "dur", "tid"}) CHECK(event.at(number).is_number());
      CHECK(tracks.at(event.at("tid")).first == pid);  // named before it is used
      CHECK(event.at("args").at("job") == "job-1");
      CHECK(event.at("args").at("partition").is_number_unsigned());
      continue;
    }
    REQUIRE(event.at("ph") == "M");
    const std::string& name = event.at("name").get_ref<const std::string&>();
    if (name == "process_name") groups.insert(pid);
    if (name == "thread_name")
      CHECK(tracks.try_emplace(event.at("tid"), pid, event.at("args").at("name")).second);  // each number once
    if (name == "thread_sort_index") sort[event.at("args").at("sort_index")] = event.at("tid");
  }
  std::vector<std::string> shown;
  for (const auto& [place, tid] : sort) {
    CHECK_FALSE(groups.contains(tid));
    shown.push_back(tracks.at(tid).second);
  }
  CHECK(shown == std::vector<std::string>{"job-1 partition 0", "job-1 partition 2", "job-1 partition 10", "device 0",
                                          "thread   0"});
}

TEST_CASE("A trace of nothing is a trace, and names that are not text do no harm") {
  CHECK(events_of(trace_text({}, 3)).empty());
  SpanRecord odd;
  odd.id = SpanId(1);
  odd.name = "\xff\"\\";
  odd.owner = {"job \"1\"\n", std::nullopt, ""};
  const auto events = events_of(trace_text(std::vector{odd}, 0));
  REQUIRE(events.size() == 2);  // of a job and of a thread
  CHECK(events[0].track == "jobs: job \"1\"\n");
}
