// The order of a run and how it ends early.
#include <catch2/catch.hpp>

#include "simulated.hpp"

using namespace pinion::host;
using namespace pinion::host::ab;
using namespace pinion::host::ab::test;

TEST_CASE("every turn is the same for both sides: control, swap, warm-up, each load once") {
  SimulatedBench bench(1);
  Record record = plan(1, 6, {Load::idle, Load::busy});
  World world;
  measure(bench, world.surroundings(), record, {});
  CHECK(record.ended.ok());
  CHECK(bench.swaps == 2 + 12);
  CHECK(bench.runs == 2 + 12 * 3);
  CHECK(world.loads_begun == 12);
  CHECK(world.loads_ended == 12);
  REQUIRE(record.turns.size() == 12);
  for (const TurnRecord& turn : record.turns) {
    CHECK(turn.control > 0);
    CHECK(turn.swap_bytes == 1 << 20);
    REQUIRE(turn.runs.size() == 3);
    CHECK(turn.runs[0].warm_up);
    CHECK(turn.runs[1].load == (turn.turn.busy_first ? Load::busy : Load::idle));
    CHECK(turn.runs[2].load == (turn.turn.busy_first ? Load::idle : Load::busy));
    for (const Run& run : turn.runs) CHECK((run.load_bytes_per_second > 0) == (run.load == Load::busy));
  }
}

TEST_CASE("each side's memory is looked at before anything is measured, the largest buffer first") {
  SimulatedBench bench(1);
  Record record = plan(1, 1);
  World world;
  measure(bench, world.surroundings(), record, {});
  CHECK(record.sides[0].buffers.at(0).front() == BufferSeen{"evaluations a", "pageable", "", 1000});
  CHECK(record.sides[1].buffers.at(0).front().kind() == "pinned");
}

TEST_CASE("an interrupt leaves what was done, marked incomplete, and the load off") {
  SimulatedBench bench(1);
  std::stop_source stop;
  bench.on_run = [&](int run) {
    if (run == 2 + 8 * 3 + 2) stop.request_stop();  // within the ninth turn, under load or about to be
  };
  Record record = plan(1, 10, {Load::idle, Load::busy});
  World world;
  measure(bench, world.surroundings(), record, stop.get_token());
  CHECK(record.ended.code() == Code::cancelled);
  CHECK(world.loads_begun == world.loads_ended);
  const Findings findings = analyse(record, {});
  CHECK(findings.jobs.front().pairs == 4);
  CHECK(record.interrupted());
  CHECK(findings.whole_pairs() == 4);
  CHECK(findings.warnings.front() == "interrupted by the operator after 4 of 10 pairs: what follows is of these");
}

TEST_CASE("a job that fails ends the run with its reason and its side") {
  SimulatedBench bench(1);
  bench.fail_at = 2;
  Record record = plan(1, 10);
  World world;
  measure(bench, world.surroundings(), record, {});
  CHECK(record.ended.code() == Code::out_of_memory);
  CHECK(record.ended.message() == "toy on side B: the test refuses");
  CHECK_FALSE(record.interrupted());
  CHECK(record.turns.empty());
  CHECK(analyse(record, {}).jobs.empty());
}

TEST_CASE("with fixed randomness both sides must make the same proof") {
  SimulatedBench bench(1);
  bench.proof = {"1234", "1234"};
  Record record = plan(1, 1);
  record.fixed_random = true;
  World world;
  measure(bench, world.surroundings(), record, {});
  CHECK(record.ended.ok());
  bench.proof = {"1234", "5678"};
  Record differing = plan(1, 1);
  differing.fixed_random = true;
  measure(bench, world.surroundings(), differing, {});
  CHECK(differing.ended.code() == Code::internal);
  CHECK_THAT(differing.ended.message(), Catch::Contains("side B") && Catch::Contains("5678 instead of 1234"));
}
