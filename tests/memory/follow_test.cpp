// Rule 10 on the product as users run it: after a burst of jobs the process holds what is charged, and little more. And
// what such a run tells of itself: every span that is documented, in the trace, the log and the metrics.
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <pinion/host/config/machine_process.hpp>
#include <pinion/test/shipped_prover.hpp>
#include <set>
#include <thread>

using namespace pinion::host;
namespace fs = std::filesystem;

namespace {

// With the plugins as built; `settings` are keys and values.
std::unique_ptr<Prover> open_all(Log& log, const Clock& clock, RandomSource& random,
                                 const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  ConfigSources sources;
  sources.defaults = {"alloc-heap", {"backend-cpu"}, {"proof-porep", "proof-snapdeals", "proof-post"}, "this test"};
  sources.flags = {{"--set", "memory.critical_reserve", "0"}};  // charged, but never there: it would hide what is
  for (const auto& [key, value] : settings) sources.flags.push_back({"--set", key, value});
  ProverSetup setup;
  setup.config = test::configured(sources);
  return test::open_prover(std::move(setup), log, clock, random);
}

ProveRequest winning(const fs::path& folder, const fs::path& params) {
  return test::request_of("winning", "", folder, params);
}

// All at once.
void burst(Prover& prover, const std::vector<ProveRequest>& requests) {
  std::vector<std::jthread> clients;
  std::atomic<int> failed{0};
  for (const ProveRequest& request : requests)
    clients.emplace_back([&] {
      if (!prover.prove(request)) ++failed;
    });
  clients.clear();
  CHECK(failed == 0);
}

void check_follows(Prover& prover, const char* when) {
  const auto within = [&] {
    const auto process = read_process_memory();
    const double used = static_cast<double>(prover.snapshot().spaces.front().used.count());
    return process && static_cast<double>(process->own().count()) <= used * 1.05 + 256 * 1024 * 1024.;
  };
  // The heap is trimmed just after the last client has its answer.
  for (int i = 0; i < 200 && !within(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(within());
  const auto process = read_process_memory();
  std::printf("%s: resident %s (most ever %s), charged %s\n", when, human_text(process->own()).c_str(),
              human_text(process->peak).c_str(), human_text(prover.snapshot().spaces.front().used).c_str());
}

// What viewers, logs and metrics are told of a run, by the names that the documentation has.
void check_told(const Prover& prover, const MemoryLog& log, const std::set<std::string>& with_bytes,
                const std::set<std::string>& others) {
  std::map<std::string, nlohmann::json> traced;
  const auto trace = nlohmann::json::parse(prover.trace());
  for (const auto& event : trace.at("traceEvents"))
    if (event.at("ph") == "X") traced[event.at("name")] = event.at("args");
  std::map<std::string, std::uint64_t> counted, bytes;
  for (const MetricSample& sample : prover.metrics()) {
    if (sample.name == "pinion_spans_total") counted[sample.labels.at("span")] = sample.count;
    if (sample.name == "pinion_span_bytes_total") bytes[sample.labels.at("span")] = sample.count;
  }
  const auto lines = log.lines();
  const auto logged = [&](const std::string& name, const std::string& also) {
    return std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
      const auto at = line.text.find(name + ": ");
      return line.text.starts_with("timing ") && at != std::string::npos &&
             (line.text[at - 1] == '/' || line.text[at - 1] == ' ') && line.text.find(also) != std::string::npos;
    });
  };
  for (const std::string& name : with_bytes) {
    INFO(name);
    REQUIRE(traced.contains(name));
    CHECK(traced[name].value("bytes", 0) > 0);
    CHECK(traced[name].value("GB/s", 0.0) > 0);
    CHECK(bytes[name] > 0);
    CHECK(logged(name, " GB/s"));
  }
  for (const std::string& name : others) {
    INFO(name);
    CHECK(traced.contains(name));
    CHECK(counted[name] > 0);
    CHECK(logged(name, ""));
  }
}

// Claim wait and what it was for, synthesis, the waits, and the device's steps in the words of cuzk's timing lines.
const std::set<std::string> kSpans = {"prove",
                                      "open",
                                      "parse",
                                      "claim",
                                      "load",
                                      "read keys",
                                      "record shape",
                                      "wait",
                                      "synthesize",
                                      "wait for device",
                                      "start",
                                      "sum witness",
                                      "sum l",
                                      "sum a",
                                      "sum b_g1",
                                      "sum b_g2",
                                      "add ones",
                                      "multiply scalars",
                                      "finish",
                                      "sum quotient",
                                      "quotient transforms",
                                      "NTT",
                                      "coset INTT",
                                      "sum h",
                                      "verify",
                                      "assemble",
                                      "trim"};

}  // namespace

// A file that is cut or removed, while its keys are loaded or before they are, is an error in words; nothing of it is
// held afterwards, and all is well once the file is back.
void check_files(Prover& prover, const fs::path& folder, const fs::path& params) {
  fs::path keys;
  for (const auto& entry : fs::directory_iterator(params))
    if (entry.path().extension() == ".params") keys = entry.path();
  REQUIRE_FALSE(keys.empty());
  const fs::path whole = keys.string() + ".whole";
  REQUIRE(prover.prove(winning(folder, params)));
  fs::copy_file(keys, whole);
  fs::resize_file(keys, fs::file_size(keys) / 2);
  // The keys are loaded; whether a file that is not theirs any more is used is the plugin's to say, in words.
  const auto loaded = prover.prove(winning(folder, params));
  if (!loaded) CHECK_THAT(loaded.status().message(), Catch::Contains(keys.filename().string()));
  const Bytes everything = prover.snapshot().spaces.front().used;
  prover.evict(SpaceId::host(), everything);
  const auto cut = prover.prove(winning(folder, params));
  REQUIRE_FALSE(cut);
  CHECK_THAT(cut.status().message(), Catch::Contains(keys.filename().string()));
  fs::remove(keys);
  CHECK_FALSE(prover.prove(winning(folder, params)));
  const SpaceStatus host = prover.snapshot().spaces.front();
  for (const HoldingStatus& holding : host.holdings) CHECK(holding.owner.job.empty());
  fs::rename(whole, keys);
  CHECK(prover.prove(winning(folder, params)));
}

// What a configuration asks to load ahead is there before the first job: its claim loads nothing, what is charged is
// what the loaded things are said to take, and eviction gives back exactly that.
void check_preloaded(const Kind& kind, const ProveRequest& request) {
  MemoryLog log;
  SteadyClock clock;
  OsRandom random;
  const auto prover =
      open_all(log, clock, random,
               {{"params.preload", kind.id}, {"params.dir", request.params_dir}, {"params.allow_test_keys", "true"}});
  for (int i = 0; i < 6000 && !prover->snapshot().ready; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const SpaceStatus before = prover->snapshot().spaces.front();
  REQUIRE(before.residents.size() >= 2);  // a shape, and keys
  Bytes described;
  for (const ResidentStatus& resident : before.residents) {
    INFO(resident.id);
    CHECK(resident.state == "ready");
    CHECK(resident.users == 0);
    CHECK(resident.bytes > Bytes());
    described += resident.bytes;
  }
  CHECK(before.used == described);
  CHECK(before.resident_loads == before.residents.size());

  const auto proof = prover->prove(request);
  INFO(proof.status().message());
  REQUIRE(proof);
  const auto trace = nlohmann::json::parse(prover->trace());
  std::set<std::string> spans;
  for (const auto& event : trace.at("traceEvents"))
    if (event.at("ph") == "X" && event.at("args").value("job", "") == proof->job) spans.insert(event.at("name"));
  CHECK(spans.contains("claim"));
  for (const char* loading : {"load", "wait for load", "read keys", "record shape"})
    CHECK_FALSE(spans.contains(loading));
  const SpaceStatus after = prover->snapshot().spaces.front();
  CHECK(after.resident_loads == before.resident_loads);
  REQUIRE(after.residents.size() == before.residents.size());
  CHECK(after.used == described + after.idle);

  for (const ResidentStatus& resident : before.residents) {
    const auto evicted = prover->evict(SpaceId::host(), resident.id);
    REQUIRE(evicted.ok());
    CHECK(*evicted == resident.bytes);
  }
  CHECK(prover->snapshot().spaces.front().used == after.idle);
}

TEST_CASE("rules 10 and 11 on the product: resident memory follows the ledger, and cut files are errors",
          "[memory][rss]") {
  const auto meta = pinion::test::find_vector("cases/post-Winning2KiBV1-seed3/meta.json");
  if (!meta) {
    std::puts("skipped: no vectors");
    return;
  }
  const pinion::test::TemporaryDirectory params;
  MemoryLog log;
  SteadyClock clock;
  OsRandom random;
  const auto prover = open_all(log, clock, random);
  const auto kind = prover->find_kind("winning", Bytes(2048));
  REQUIRE(kind);
  REQUIRE(prover->generate_keys(**kind, params.path(), "toxic", [](const auto&...) {}).ok());
  burst(*prover, std::vector<ProveRequest>(4, winning(meta->parent_path(), params.path())));
  check_follows(*prover, "after a burst of 4 jobs");
  CHECK(prover->evict(SpaceId::host(), prover->snapshot().spaces.front().used) > Bytes());
  check_follows(*prover, "after evicting all");
  check_told(*prover, log, {"witness", "make slab"}, kSpans);
  check_files(*prover, meta->parent_path(), params.path());
  check_preloaded(**kind, winning(meta->parent_path(), params.path()));

  MemoryLog other_log;
  const auto evaluating = open_all(other_log, clock, random, {{"pipeline.job_format", "evaluations"}});
  REQUIRE(evaluating->prove(winning(meta->parent_path(), params.path())));
  check_told(*evaluating, other_log, {"witness", "evaluations", "make slab"}, kSpans);
}

// The same at gigabytes: buffers of three vectors each, of two kinds, under a budget that holds several at a time.
TEST_CASE("rule 10 on several GiB: a burst of two kinds in both job formats", "[.burst]") {
  const auto porep = pinion::test::find_vector("cases/porep-2KiB-V1_1-seed11/c1.json");
  const auto snap = pinion::test::find_vector("cases/snap-2KiB-seed11/meta.json");
  if (!porep || !snap) {
    std::puts("skipped: no vectors");
    return;
  }
  const pinion::test::TemporaryDirectory params;
  SteadyClock clock;
  OsRandom random;
  for (const char* format : {"evaluations", "witness"}) {
    MemoryLog log;
    const auto prover =
        open_all(log, clock, random,
                 {{"memory.budget", "4GiB"}, {"pipeline.job_format", format}, {"pipeline.max_synthesis", "3"}});
    for (const char* family : {"porep", "snap"}) {
      const auto kind = prover->find_kind(family, Bytes(2048));
      REQUIRE(kind);
      if (std::string_view(format) == "evaluations")
        REQUIRE(prover->generate_keys(**kind, params.path(), "toxic", [](const auto&...) {}).ok());
    }
    std::vector<ProveRequest> requests;
    for (int i = 0; i < 3; ++i) {
      requests.push_back(test::request_of("porep", "c1.json", porep->parent_path(), params.path()));
      requests.push_back(test::request_of("snap", "", snap->parent_path(), params.path()));
    }
    if (std::string_view(format) == "witness")
      check_preloaded(**prover->find_kind("porep", Bytes(2048)), requests.front());
    burst(*prover, requests);
    check_follows(*prover, (std::string(format) + ", after a burst of 6 jobs").c_str());
    std::printf("most charged: %s\n", human_text(prover->snapshot().spaces.front().high_water).c_str());
    prover->evict(SpaceId::host(), prover->snapshot().spaces.front().used);
    check_follows(*prover, (std::string(format) + ", after evicting all").c_str());
  }
}
