// Proofs that succeed, and everything a result tells.
#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "host.hpp"

using namespace toy;
using Catch::Contains;

TEST_CASE("A request becomes a verified proof, and says what it took") {
  Host host;
  auto result = host.prover().prove(request(4));
  INFO(result.status().text());
  REQUIRE(result.ok());
  CHECK(result->kind == "toy-1k");
  CHECK(result->title == "Toy proof, 1 KiB");
  CHECK(result->partitions == 4);
  CHECK(result->proof.size() == 4 * 32);
  CHECK(result->sha256 == pinion::test::sha256_hex(result->proof));
  CHECK_FALSE(result->degraded);
  CHECK(result->plugins == std::vector<std::string>{"alloc-heap 0.1.0", "toy-backend 0.0.1", "toy-proof 0.0.1"});
  REQUIRE(result->parts.size() == 4);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const PartResult& part = result->parts[k];
    CHECK(part.partition == k);
    CHECK(part.attempts == 1);
    CHECK(part.device == "toy-backend device 0 (toy device)");
    CHECK(part.format == "pinion.job.toy-witness.none/1");
    CHECK(std::equal(part.bytes.begin(), part.bytes.end(), result->proof.begin() + k * 32));
    CHECK(part.times.synthesize.count() > 0);
    CHECK(part.times.verify.count() > 0);
  }
  std::map<std::string, std::uint64_t> counts;
  for (const Stage& stage : result->stages) counts[stage.name] = stage.count;
  CHECK(counts["prove"] == 1);
  CHECK(counts["open"] == 1);
  for (const char* stage : {"partition", "claim", "synthesize", "toy rows", "start", "toy start", "finish"})
    CHECK(counts[stage] == 4);
  CHECK(counts["assemble"] == 1);
  CHECK(host.prover().verify(request(4), result->proof).ok());
  host.check_all_returned();
  CHECK(host.log.count(LogLevel::warn) + host.log.count(LogLevel::error) == 0);
}

TEST_CASE("The same request, randomness and backend give the same bytes, in any format and any number of devices") {
  std::vector<std::uint8_t> proof;
  for (const std::string& more :
       {config(), config("[pipeline]\njob_format = \"evaluations\""),
        config("[plugin.toy-backend]\ndevices = 3\nstarts_in_flight = 2\ndevice_memory = \"8MiB\"\nderived = true"),
        config("[pipeline]\nthreads = 1\nmax_synthesis = 4\n[plugin.toy-backend]\nderived = true")}) {
    Host host(more);
    auto result = host.prover().prove(request(5));
    INFO(result.status().text());
    REQUIRE(result.ok());
    if (proof.empty()) proof = result->proof;
    CHECK(result->proof == proof);
    host.check_all_returned();
  }
}

TEST_CASE("A changed proof does not verify, byte by byte") {
  Host host;
  const auto result = host.prover().prove(request(2));
  REQUIRE(result.ok());
  for (std::size_t i = 0; i < result->proof.size(); ++i) {
    auto changed = result->proof;
    changed[i] ^= 1;
    CHECK(host.prover().verify(request(2), changed).code() == Code::proof_invalid);
  }
  CHECK(host.prover().verify(request(3), result->proof).code() == Code::proof_invalid);
  CHECK(host.prover().verify(request(2), {}).code() == Code::proof_invalid);
  host.check_all_returned();
}

TEST_CASE("One partition alone, and parts without a proof") {
  Host host;
  const auto whole = host.prover().prove(request(3));
  REQUIRE(whole.ok());
  auto one = request(3);
  one.partition = 2;
  const auto part = host.prover().prove(one);
  REQUIRE(part.ok());
  CHECK(part->proof.empty());
  REQUIRE(part->parts.size() == 1);
  CHECK(part->parts[0].bytes == whole->parts[2].bytes);
  CHECK(part->sha256 == pinion::test::sha256_hex(part->parts[0].bytes));
  one.partition = 3;
  CHECK(host.prover().prove(one).status().text() == "invalid_input: there is no partition 3; toy-1k has 3, from 0");
  auto parts = request(3);
  parts.parts_only = true;
  const auto all = host.prover().prove(parts);
  REQUIRE(all.ok());
  CHECK(all->proof.empty());
  CHECK(all->parts.size() == 3);
  host.check_all_returned();
}

TEST_CASE("Jobs run at once, each with its own proof") {
  Host host(config("[plugin.toy-backend]\ndevices = 2\nstarts_in_flight = 2"));
  Prover& prover = host.prover();
  std::vector<Result<ProveResult>> results(8, Status(Code::internal, "not run"));
  {
    std::vector<std::jthread> clients;
    for (std::uint64_t i = 0; i < results.size(); ++i)
      clients.emplace_back([&, i] { results[i] = prover.prove(request(1 + i % 3, 1000 * (i + 1))); });
  }
  for (std::uint64_t i = 0; i < results.size(); ++i) {
    INFO(results[i].status().text());
    REQUIRE(results[i].ok());
    CHECK(prover.verify(request(1 + i % 3, 1000 * (i + 1)), results[i]->proof).ok());
  }
  host.check_all_returned();
}

TEST_CASE("A critical job passes at the next partition, and the others still finish") {
  Host host(config(script("toy-backend", {"start:*:sleep"})));
  Prover& prover = host.prover();
  std::mutex mutex;
  std::vector<std::string> finished;  // jobs, in the order of their partitions' ends
  const auto watch = [&](const ProveProgress& progress) {
    if (progress.stage != "done") return;
    const std::lock_guard lock(mutex);
    finished.push_back(progress.job);
  };
  const auto prove = [&](const char* id, std::uint64_t partitions, std::uint32_t priority) {
    auto job = request(partitions, 1000);
    job.id = id;
    job.priority = priority;
    return prover.prove(std::move(job), {}, watch).ok();
  };
  bool low_proved = false;  // asserted by this thread: Catch2's assertions are not for several at once
  std::jthread low([&] { low_proved = prove("low", 20, PINION_PRIORITY_LOW); });
  const auto done = [&] {
    const std::lock_guard lock(mutex);
    return finished.size();
  };
  while (done() < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const std::size_t before = done();
  CHECK(prove("urgent", 1, PINION_PRIORITY_CRITICAL));
  const std::size_t after = done();
  low.join();
  CHECK(low_proved);
  CHECK(finished.size() == 21);
  // At most the partition on the device, and one that had its end in sight.
  CHECK(after - before <= 3);
  host.check_all_returned();
}

TEST_CASE("Residents are loaded once for all partitions and jobs") {
  Host host;
  REQUIRE(host.prover().prove(request(4)).ok());
  REQUIRE(host.prover().prove(request(4)).ok());
  CHECK(host.space().resident_loads == 2);  // shape and keys
  CHECK(host.space().residents.size() == 2);
}

TEST_CASE("A budget for one partition at a time is enough for many") {
  // A partition takes about 1 MiB of buffers, so that one of several must wait for another's.
  const std::string tight =
      "[memory]\nbudget = \"3MiB\"\nsafety_margin = \"1MiB\"\n[plugins]\nproofs = [\"toy-proof\"]\n"
      "allocator = \"alloc-heap\"\nbackends = [\"toy-backend\"]\n[pipeline]\nmax_synthesis = 4\n";
  Host host(tight);
  auto result = host.prover().prove(request(6, 200000));
  INFO(result.status().text());
  REQUIRE(result.ok());
  CHECK(host.space().high_water <= Bytes(3 << 20));
  host.check_all_returned();
  // What can never fit is refused at once, with both numbers.
  const auto never = host.prover().prove(request(1, 1000000));
  CHECK(never.status().code() == Code::over_budget);
  CHECK_THAT(never.status().message(), Contains("3.00 MiB"));
  host.check_all_returned();
}

TEST_CASE("Progress tells every stage, and nothing after the end") {
  Host host;
  std::mutex mutex;
  std::map<std::string, int> stages;
  bool over = false;
  int late = 0;
  std::uint32_t most_done = 0;
  const auto result = host.prover().prove(request(3), {}, [&](const ProveProgress& progress) {
    const std::lock_guard lock(mutex);
    ++stages[progress.stage];
    late += over;
    most_done = std::max(most_done, progress.partitions_done);
  });
  {
    const std::lock_guard lock(mutex);
    over = true;
  }
  REQUIRE(result.ok());
  REQUIRE(host.prover().prove(request(1)).ok());
  for (const char* stage : {"open", "claim", "synthesize", "start", "finish", "verify", "assemble", "done"})
    CHECK(stages[stage] > 0);
  CHECK(late == 0);
  CHECK(most_done == 3);
  const auto jobs = host.prover().snapshot().jobs;
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0].state == "completed");
  CHECK(jobs[0].partitions.size() == 3);
  CHECK(jobs[0].partitions[2].state == "done");
}

TEST_CASE("Kinds, samples, keys and health are reached through the prover") {
  Host host;
  Prover& prover = host.prover();
  const auto kind = prover.find_kind("toy", Bytes(1024));
  REQUIRE(kind.ok());
  CHECK((*kind)->wire_kind == 99);
  CHECK(prover.find_kind("toy", Bytes(4096)).status().text() ==
        "invalid_input: there is no toy proof for sectors of 4KiB; there are: 1KiB");
  REQUIRE(prover.samples().size() == 1);
  auto sample = prover.samples()[0];
  CHECK(sample.title == "two small partitions");
  CHECK(prover.prove(sample.request)->parts.size() == 2);

  const pinion::test::TemporaryDirectory dir;
  std::map<std::string, std::string> facts;
  const auto fact = [&](const std::string& key, const std::string& value) { facts[key] = value; };
  CHECK(prover.check_keys(**kind, dir.path(), fact).code() == Code::invalid_config);
  CHECK(prover.generate_keys(**kind, dir.path(), "label", fact).ok());
  CHECK(facts["toxic"] == "label");
  CHECK(prover.generate_keys(**kind, dir.path(), "", fact).code() == Code::invalid_input);
  CHECK(prover.check_keys(**kind, dir.path(), fact).ok());
  CHECK(prover.describe_keys(dir.path() / "toy.params", fact).ok());
  CHECK(facts["kind"] == "toy-1k");
  CHECK(prover.describe_keys(dir.path() / "other", fact).code() == Code::invalid_input);
  CHECK(prover.fake(**kind, 5, {}, dir.path(), fact).ok());
  CHECK(pinion::test::read_text(dir.path() / "seed") == "5 2 red");
  CHECK(facts["seed"] == "5");
  const auto chosen = [](const char* key, const char* value) {
    return PluginTable{{}, {{key, RawValue{RawScalar(std::string(value)), {}, true}}}};
  };
  CHECK(prover.fake(**kind, 6, chosen("colour", "green"), dir.path(), fact).ok());
  CHECK(pinion::test::read_text(dir.path() / "seed") == "6 2 green");
  const Status unknown = prover.fake(**kind, 6, chosen("color", "green"), dir.path(), fact);
  CHECK(unknown.code() == Code::invalid_input);
  CHECK_THAT(unknown.message(), Catch::Contains("option color") && Catch::Contains("did you mean \"colour\"?"));
  CHECK_THAT(prover.fake(**kind, 6, chosen("partitions", "few"), dir.path(), fact).message(),
             Catch::Contains("option partitions = \"few\""));
  CHECK(prover.fake_options(**kind)->size() == 2);
  bool found = false;
  for (const auto& health : prover.health())
    if (health.plugin == "toy-backend") found = health.findings.at(0).fix == "buy a real one";
  CHECK(found);
}

TEST_CASE("Without backends a prover verifies, and says why it does not prove") {
  Host whole;
  const auto proof = whole.prover().prove(request(2));
  REQUIRE(proof.ok());
  MemoryLog log;
  SteadyClock clock;
  SeededRandom random;
  ProverSetup setup = Host::setup(parsed(config()));
  setup.backends = false;
  const auto prover = Prover::open(setup, log, clock, random);
  REQUIRE(prover.ok());
  CHECK((*prover)->verify(request(2), proof->proof).ok());
  CHECK((*prover)->prove(request(2)).status().code() == Code::device_lost);
}
