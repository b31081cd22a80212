#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/host/report/log.hpp>
#include <pinion/host/report/metrics.hpp>
#include <pinion/host/report/snapshot.hpp>
#include <pinion/host/report/stages.hpp>
#include <thread>

using namespace pinion::host;

TEST_CASE("a log line is one line, at its level", "[report]") {
  MemoryLog log;
  log.warn("job {} has {}\nforged: line\x01", 7, "text");
  log.debug("x");
  REQUIRE(log.lines().size() == 2);
  CHECK(log.lines()[0].text == "job 7 has text\\nforged: line\\x01");
  CHECK(log.count(LogLevel::warn) == 1);
  CHECK(log.count(LogLevel::error) == 0);
}

TEST_CASE("the stderr log keeps to its level", "[report]") {
  const auto log = make_stderr_log(LogLevel::warn);
  CHECK_FALSE(log->enabled(LogLevel::info));
  CHECK(log->enabled(LogLevel::error));
  CHECK_FALSE(make_stderr_log(LogLevel::off)->enabled(LogLevel::error));
}

TEST_CASE("spans nest, carry their owner and their bytes, and end once", "[report]") {
  ManualClock clock;
  Spans spans(clock);
  Span job = spans.open("prove", {"7", std::nullopt, ""});
  clock.advance(std::chrono::seconds(1));
  {
    Span copy = job.child("copy");
    copy.add_bytes(mib(3));
    clock.advance(std::chrono::seconds(2));
    CHECK(spans.running().size() == 2);
  }
  Span moved = std::move(job);
  moved.end();
  moved.end();
  const std::vector<SpanRecord> records = spans.records();
  REQUIRE(records.size() == 2);
  CHECK(records[0].name == "copy");
  CHECK(records[0].owner.job == "7");
  CHECK(records[0].bytes == mib(3));
  CHECK(records[0].duration() == std::chrono::seconds(2));
  CHECK(records[0].parent == records[1].id);
  CHECK(records[1].duration() == std::chrono::seconds(3));
  CHECK(spans.running().empty());
}

TEST_CASE("spans by id end once, and unknown ids are refused", "[report]") {
  ManualClock clock;
  Spans spans(clock);
  const SpanId id = spans.begin("x");
  CHECK(spans.end(id, Bytes(5)));
  CHECK_FALSE(spans.end(id));
  CHECK_FALSE(spans.end(SpanId(99)));
  CHECK(spans.records().size() == 1);
  // A span whose record was ended by id under it.
  Span span = spans.open("y");
  CHECK(spans.end(span.id()));
  span.child("z").end();
  span.end();
  CHECK(spans.records().size() == 3);
}

TEST_CASE("spans are bounded and count what they drop", "[report]") {
  ManualClock clock;
  Spans spans(clock, 2);
  for (const char* name : {"a", "b", "c"}) spans.open(name).end();
  REQUIRE(spans.records().size() == 2);
  CHECK(spans.records()[0].name == "b");
  CHECK(spans.dropped() == 1);
}

TEST_CASE("spans come from many threads", "[report]") {
  SteadyClock clock;
  Spans spans(clock);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1'000; ++i) {
        const Span outer = spans.open("outer");
        const Span inner = outer.child("inner");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(spans.records().size() == 8'000);
}

TEST_CASE("the stage table sums spans along their nesting", "[report]") {
  ManualClock clock;
  Spans spans(clock);
  {
    const Span prove = spans.open("prove");
    for (int partition = 0; partition < 2; ++partition) {
      Span synthesis = prove.child("synthesis");
      clock.advance(std::chrono::seconds(1 + partition));
    }
    Span start = prove.child("start");
    start.add_bytes(gib(1));
    clock.advance(std::chrono::milliseconds(500));
  }
  const std::vector<Stage> stages = stage_table(spans.records());
  REQUIRE(stages.size() == 3);
  CHECK(stages[0].name == "prove");
  CHECK(stages[0].depth == 0);
  CHECK(stages[1].name == "synthesis");
  CHECK(stages[1].depth == 1);
  CHECK(stages[1].count == 2);
  CHECK(stages[1].total == std::chrono::seconds(3));
  CHECK(stages[1].longest == std::chrono::seconds(2));
  CHECK(stages[2].bytes == gib(1));
  CHECK(stages[1].covered == std::chrono::seconds(3));
  CHECK(stage_text(stages) ==
        "stage        count         total       longest       bytes\n"
        "prove            1        3.50 s        3.50 s            \n"
        "  synthesis      2        3.00 s        2.00 s            \n"
        "  start          1        500 ms        500 ms    1.00 GiB\n");
}

TEST_CASE("what runs side by side is covered once", "[report]") {
  ManualClock clock;
  Spans spans(clock);
  {
    const Span prove = spans.open("prove");
    const Span whole = prove.child("partition");
    clock.advance(std::chrono::seconds(1));
    {
      const Span within = prove.child("partition");
      clock.advance(std::chrono::seconds(2));
    }
    const Span beyond = prove.child("partition");
    clock.advance(std::chrono::seconds(1));
  }
  const std::vector<Stage> stages = stage_table(spans.records());
  REQUIRE(stages.size() == 2);
  CHECK(stages[1].total == std::chrono::seconds(4 + 2 + 1));
  CHECK(stages[1].covered == std::chrono::seconds(4));
}

TEST_CASE("metrics by name and labels", "[report]") {
  Metrics metrics;
  Counter& done = metrics.counter("jobs_total", "Jobs.", {{"state", "done"}});
  done.add(3);
  metrics.counter("jobs_total", "", {{"state", "failed"}}).add();
  CHECK(&metrics.counter("jobs_total", "", {{"state", "done"}}) == &done);
  metrics.gauge("used_bytes", "Bytes.").set(1.5);
  CHECK_THROWS_AS(metrics.gauge("jobs_total", ""), std::logic_error);
  const std::vector<MetricSample> samples = metrics.samples();
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].count == 3);
  CHECK(samples[0].help == "Jobs.");
  CHECK(samples[1].labels.at("state") == "failed");
  CHECK(samples[2].value == 1.5);
}

TEST_CASE("the snapshot as JSON is exact and always valid", "[report]") {
  Snapshot snapshot;
  SpaceStatus space;
  space.name = "host";
  space.budget = Bytes(UINT64_MAX);
  space.holdings = {{"witness", {"a\"b\n\xff", 1, "p"}, Bytes(10), Bytes(16), "pinned"},
                    {"witness", {}, Bytes(1), Bytes(4), ""}};
  space.residents = {{"keys", "p", "ready", Bytes(7), 0, Duration(1500)}};
  snapshot.spaces.push_back(space);
  snapshot.jobs.push_back({"7", "kind-x", "running", "", 2, Duration(5), {{0, "start", "device 0", 1, Duration(3)}}});
  snapshot.plugins.push_back({"p", "1.0", "/p.so", "running", "", 0});
  const nlohmann::json json = nlohmann::json::parse(json_text(snapshot));
  CHECK(json["spaces"][0]["budget"].get<std::uint64_t>() == UINT64_MAX);
  CHECK(json["spaces"][0]["by_purpose"]["witness"] == 20);
  CHECK(json["spaces"][0]["by_purpose"]["residents"] == 7);
  CHECK(json["spaces"][0]["holdings"][0]["owner"]["job"] == "a\"b\n\xef\xbf\xbd");
  CHECK(json["spaces"][0]["holdings"][0]["owner"]["partition"] == 1);
  CHECK(json["spaces"][0]["residents"][0]["idle_ms"] == 1500);
  CHECK(json["jobs"][0]["partitions"][0]["device"] == "device 0");
  CHECK(json["plugins"][0]["path"] == "/p.so");
}
