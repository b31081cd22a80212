// What is said of simulated machines whose truth is known.
#include <catch2/catch.hpp>
#include <pinion/host/ab/words.hpp>

#include "simulated.hpp"

using namespace pinion::host;
using namespace pinion::host::ab;
using namespace pinion::host::ab::test;

namespace {

bool says(const Findings& findings, const std::string& words) {
  return std::any_of(findings.warnings.begin(), findings.warnings.end(),
                     [&](const std::string& warning) { return warning.find(words) != std::string::npos; });
}

const Comparison& stage(const JobFindings& found, const std::string& path) {
  const auto is = [&](const Comparison& one) { return one.path == path; };
  return *std::find_if(found.stages.begin(), found.stages.end(), is);
}

bool real(const Comparison& one) {
  return is_real(one.verdict);
}

}  // namespace

TEST_CASE("equal sides are called different in at most one run in twenty, also on a machine that drifts") {
  constexpr int runs = 400;
  int wrong = 0, wrong_stages = 0, loads = 0;
  for (int seed = 0; seed < runs; ++seed) {
    SimulatedBench bench(static_cast<std::uint64_t>(seed));
    bench.drift = seed % 2 == 0 ? 0 : 0.003;
    Record record = plan(static_cast<std::uint64_t>(seed), 10, {Load::idle, Load::busy});
    const Findings findings = measured(bench, record);
    bool any = false, any_stage = false;
    for (const JobFindings& found : findings.jobs) {
      if (found.cold) continue;
      ++loads;
      any = any || real(found.total);
      for (const Comparison& one : found.stages) any_stage = any_stage || real(one);
    }
    wrong += any;
    wrong_stages += any_stage;
  }
  INFO(wrong << " of " << runs << " totals, " << wrong_stages << " with any stage, over " << loads << " loads");
  CHECK(wrong <= runs * 7 / 100);
  CHECK(wrong_stages <= 2 * runs * 7 / 100);  // stages are a family of their own under each load
}

TEST_CASE("a stage that is a fifth slower on side B is found, in the right stage and size") {
  constexpr int runs = 100;
  int found_slow = 0, total_slow = 0, elsewhere = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    SimulatedBench bench(seed);
    bench.factor = {1, 1.2};
    bench.scatter = 0.01;
    Record record = plan(seed, 14);
    const Findings findings = measured(bench, record);
    const JobFindings& found = findings.jobs.front();
    const Comparison& slow = stage(found, "partition/start");
    found_slow += slow.verdict == Verdict::b_slower;
    total_slow += found.total.verdict == Verdict::b_slower;
    elsewhere += real(stage(found, "partition/synthesize"));
    CHECK(*slow.share == Approx(0.2).margin(0.15));
    CHECK(found.total.verdict != Verdict::b_faster);
  }
  // One run in twelve takes up to half as long again: now and then such a machine hides it.
  CHECK(found_slow >= 95);
  CHECK(total_slow >= 90);
  CHECK(elsewhere <= 7);
}

TEST_CASE("stages that no number of pairs at hand could show are said so") {
  SimulatedBench bench(2);
  Record record = plan(2, 6);
  CHECK(says(measured(bench, record), "6 pairs can judge totals, but not 3 stages at once: for those take 7"));
}

TEST_CASE("which side is called faster does not depend on which is called A") {
  for (const bool swapped : {false, true}) {
    SimulatedBench bench(5);
    bench.factor = swapped ? std::array<double, 2>{1, 0.7} : std::array<double, 2>{0.7, 1};
    Record record = plan(5, 10);
    const auto verdict = measured(bench, record).jobs.front().total.verdict;
    CHECK(verdict == (swapped ? Verdict::b_faster : Verdict::b_slower));
  }
}

TEST_CASE("what is not shown is not claimed, and the report says what would show it") {
  SimulatedBench bench(2);
  bench.factor = {1, 1.003};
  Record record = plan(2, 10);
  const Findings findings = measured(bench, record);
  const JobFindings& found = findings.jobs.front();
  CHECK(found.total.verdict == Verdict::no_difference);
  CHECK(found.total.interval->covers(0));
  CHECK_THAT(conclusion(found), Catch::Contains("No difference shown") && Catch::Contains("covers zero") &&
                                    Catch::Contains("repetitions"));
}

TEST_CASE("too few pairs are said to be too few") {
  SimulatedBench bench(2);
  bench.factor = {1, 2};
  Record record = plan(2, 5);
  const Findings findings = measured(bench, record);
  CHECK(findings.jobs.front().total.verdict == Verdict::too_few);
  CHECK_FALSE(findings.jobs.front().total.interval);
  CHECK(says(findings, "at least 6"));
  CHECK_THAT(conclusion(findings.jobs.front()), Catch::Contains("Nothing can be said after 5 pairs"));
}

TEST_CASE("a stage of one side only is shown and not judged") {
  SimulatedBench bench(2);
  bench.only_on_b = true;
  Record record = plan(2, 8);
  const Findings findings = measured(bench, record);
  const Comparison& copy = stage(findings.jobs.front(), "partition/copy");
  CHECK_FALSE(copy.sides[0]);
  CHECK(copy.sides[1]->median == Approx(0.1));
  CHECK(copy.verdict == Verdict::not_comparable);
  CHECK(stage_rate(stage(findings.jobs.front(), "partition/start"), 0).value() > 1e9);
  CHECK_FALSE(stage_rate(copy, 1));
}

TEST_CASE("a stage that only a later run has is listed with the stage that holds it") {
  SimulatedBench bench(2);
  Record record = plan(2, 6);
  World world;
  measure(bench, world.surroundings(), record, {});
  for (Run& run : record.turns.back().runs) run.stages.push_back({"partition/synthesize/wait", 0.001, 0});
  std::vector<std::string> paths;
  const Findings findings = analyse(record, {});
  for (const Comparison& one : findings.jobs.front().stages) paths.push_back(one.path);
  CHECK(paths ==
        std::vector<std::string>{"partition", "partition/synthesize", "partition/synthesize/wait", "partition/start"});
}

TEST_CASE("a machine that is not steady is called noisy, and one that favours a side is told from one that scatters") {
  World steady;
  SimulatedBench bench(2);
  Record record = plan(2, 10);
  CHECK_FALSE(measured(bench, record, steady).steadiness.noisy());

  World drifting;
  drifting.control = [turn = 0]() mutable { return 0.01 * (1 + 0.01 * ++turn); };
  Record drifted = plan(2, 10);
  const Findings drift = measured(bench, drifted, drifting);
  CHECK(says(drift, "the machine is noisy"));
  CHECK(drift.steadiness.drift > 0.05);
  CHECK_FALSE(drift.steadiness.favours_a_side());

  const auto schedule = make_schedule(10, 2);
  World unfair;
  unfair.control = [&, turn = std::size_t{0}]() mutable { return schedule[turn++].side == Side::a ? 0.01 : 0.0102; };
  Record favoured = plan(2, 10);
  CHECK(says(measured(bench, favoured, unfair), "the machine itself favoured side A"));
}

TEST_CASE("an allocator under the witness route cannot matter, and is said not to") {
  SimulatedBench bench(2);
  bench.format = "witness";
  Record record = plan(2, 8);
  record.only_allocators = true;
  CHECK(says(measured(bench, record), "the allocator can hardly matter here"));
  Record other = plan(2, 8);
  CHECK_FALSE(says(measured(bench, other), "hardly matter"));
  bench.format = "evaluations";
  Record matters = plan(2, 8);
  matters.only_allocators = true;
  CHECK_FALSE(says(measured(bench, matters), "hardly matter"));
}

TEST_CASE("a side that fell back, and sides on different devices, are not what they say") {
  SimulatedBench bench(2);
  Record record = plan(2, 8);
  World world;
  measure(bench, world.surroundings(), record, {});
  for (TurnRecord& turn : record.turns)
    if (turn.turn.side == Side::b) {
      turn.runs.back().fallback_uses = 2;
      for (Run& run : turn.runs) run.devices = {"device 1"};
    }
  const Findings findings = analyse(record, {"first"});
  CHECK(findings.warnings.front() == "first");
  CHECK(says(findings, "side B is not what it says: 16 times"));
  CHECK(says(findings, "the sides ran on different devices: A on device 0, B on device 1"));
}
