// Whole comparisons on the toy plugins: real threads, real memory, real time.
#include <algorithm>
#include <catch2/catch.hpp>
#include <pinion/host/ab/load.hpp>
#include <pinion/host/ab/machine.hpp>
#include <pinion/host/ab/prover_bench.hpp>
#include <pinion/host/ab/text_report.hpp>

#include "host.hpp"
#include "simulated.hpp"

using namespace pinion::host;
using namespace pinion::host::ab;

namespace {

struct Comparing {
  Comparing(const std::string& a, const std::string& b, std::size_t pairs) {
    ProverSetup setup = toy::Host::setup(toy::parsed(a));
    setup.alternatives = {toy::parsed(b)};
    auto opened = Prover::open(setup, log, clock, random);
    INFO(opened.status().text());
    REQUIRE(opened.ok());
    prover = std::move(*opened);
    record = test::plan(11, pairs);
    record.fixed_random = true;
  }
  Findings run() {
    ProverBench bench(*prover, {toy::request(2, 400'000)});
    test::World world;
    world.control = control_seconds;
    measure(bench, world.surroundings(), record, {});
    const Findings findings = analyse(record, {});
    UNSCOPED_INFO(text_report(record, findings));
    REQUIRE(record.ended.ok());
    return findings;
  }
  MemoryLog log;
  SteadyClock clock;
  toy::SeededRandom random;
  std::unique_ptr<Prover> prover;
  Record record;
};

const std::string pinned = R"(allocator = "toy-pinned"
backends = ["toy-backend"])";

}  // namespace

TEST_CASE("a backend that sleeps is found slower, in the stage where it sleeps; residents are loaded once") {
  // The option belongs to the one host: side A states it too.
  Comparing sides(toy::config(toy::script("toy-backend-b", {"start:*:sleep"})),
                  toy::config(toy::script("toy-backend-b", {"start:*:sleep"}),
                              "allocator = \"alloc-heap\"\nbackends = [\"toy-backend-b\"]"),
                  10);
  const Findings findings = sides.run();
  const JobFindings& found = findings.jobs.front();
  CHECK(found.total.verdict == Verdict::b_slower);
  const auto start = std::find_if(found.stages.begin(), found.stages.end(),
                                  [](const Comparison& one) { return one.path == "partition/start"; });
  REQUIRE(start != found.stages.end());
  CHECK(start->verdict == Verdict::b_slower);
  CHECK(start->sides[1]->median - start->sides[0]->median > 0.05);  // 30 ms in each of two partitions
}

TEST_CASE("the same configuration twice: no difference is claimed, and the proofs are the same bytes") {
  Comparing sides(toy::config(), toy::config(), 8);
  const Findings findings = sides.run();
  for (const JobFindings& found : findings.jobs) {
    if (found.cold || !found.total.interval) continue;
    INFO(found.total.p);
    // One run in twenty may be wrong; what must never be is a large difference.
    if (found.total.verdict != Verdict::no_difference) CHECK(std::abs(*found.total.share) < 0.2);
  }
  CHECK(sides.prover->snapshot().spaces[0].resident_loads == 2);  // shape and keys, once for both
}

TEST_CASE("each side's buffers are labelled by what made them, and the pool is swapped at every turn") {
  Comparing sides(toy::config("[pipeline]\njob_format = \"witness\"\n"),
                  toy::config("[pipeline]\njob_format = \"witness\"\n", pinned), 6);
  sides.record.only_allocators = true;
  const Findings findings = sides.run();
  for (const std::size_t side : {0u, 1u}) {
    const auto& buffers = sides.record.sides[side].buffers.at(0);
    REQUIRE_FALSE(buffers.empty());
    for (const BufferSeen& buffer : buffers) {
      CHECK(buffer.stated == (side == 0 ? "pageable" : "pinned"));
      CHECK(buffer.seen.empty());
    }
    CHECK(buffers.front().purpose == "witness");
  }
  for (const TurnRecord& turn : sides.record.turns) CHECK(turn.swap_bytes > 0);
  CHECK(std::any_of(findings.warnings.begin(), findings.warnings.end(),
                    [](const std::string& warning) { return warning.find("can hardly matter") != std::string::npos; }));
}

TEST_CASE("a fallback does not pass for the allocator it stands in for") {
  const std::string small = "[plugin.toy-pinned]\nlimit = \"1MiB\"\n";
  Comparing sides(toy::config(small), toy::config(small, R"(allocator = "toy-pinned"
fallback = "alloc-heap"
backends = ["toy-backend"])"),
                  6);
  const Findings findings = sides.run();
  const auto& buffers = sides.record.sides[1].buffers.at(0);
  CHECK(buffers.front().purpose == "witness");
  CHECK(buffers.front().stated == "pageable");  // what was really lent, not what was being made first
  bool told = false;
  for (const std::string& warning : findings.warnings) told = told || warning.find("side B is not what it says") == 0;
  CHECK(told);
}

TEST_CASE("an allocator's word does not stand against the device's: labels go by what the device sees") {
  const std::string seeing = "[plugin.toy-backend]\nsees = \"pageable\"\n";
  Comparing sides(toy::config(seeing), toy::config(seeing, pinned), 6);
  const Findings findings = sides.run();
  for (const std::size_t side : {0u, 1u}) {
    std::size_t unseen = 0;
    for (const BufferSeen& buffer : sides.record.sides[side].buffers.at(0)) {
      INFO(buffer.purpose);
      CHECK(buffer.kind() == (buffer.seen.empty() ? buffer.stated : "pageable"));
      unseen += buffer.seen.empty();
    }
    CHECK(unseen <= 1);  // scratch, which no device was lent
  }
  const auto told = [&](const std::string& side) {
    return std::count_if(findings.warnings.begin(), findings.warnings.end(), [&](const std::string& warning) {
      return warning.find(side + " is not what it says: memory is stated pinned, the device sees pageable") == 0;
    });
  };
  CHECK(told("side A") == 0);
  CHECK(told("side B") == 1);
}

TEST_CASE(
    "a backend that says how busy its devices are is believed, in the status and per job; one that does not is not") {
  const std::string telling = toy::script("toy-backend", {"finish:*:sleep"}) + "tells_busy = true\n";
  Comparing sides(toy::config(telling),
                  toy::config(telling, "allocator = \"alloc-heap\"\nbackends = [\"toy-backend-b\"]"), 6);
  const Findings findings = sides.run();
  const JobFindings& found = findings.jobs.front();
  REQUIRE(found.device_busy[0]);
  CHECK(found.device_busy[0]->values.size() == 6);
  CHECK(found.device_busy[0]->median > 0.1);  // each part sleeps 30 ms in finish
  CHECK(found.device_busy[0]->interval.covers(found.device_busy[0]->median));
  CHECK_FALSE(found.device_busy[1]);
  const auto devices = sides.prover->snapshot().devices;
  REQUIRE(devices.size() == 2);
  REQUIRE(devices[0].busy);
  CHECK(*devices[0].busy >= std::chrono::milliseconds(30) * 2 * 6);
  CHECK_FALSE(devices[1].busy);
}

TEST_CASE("the load works on every thread it was given, and rests") {
  LoadGenerator load(2);
  load.run(true);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(load.rate() > 1e6);
  load.run(false);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(load.rate() == 0);
  load.run(true);
  load.run(false);
}

TEST_CASE("facts of the machine that cannot be read are left out") {
  CHECK_FALSE(machine_facts().empty());
  for (const Fact& fact : machine_facts("/nowhere")) CHECK_FALSE(fact.value.empty());
  CHECK(control_seconds() > 0);
  CHECK(peak_resident() > 0);
}
