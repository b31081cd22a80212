// A machine made of numbers: jobs that take what a test says, with noise, drift and long tails as real ones have.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <pinion/host/ab/analysis.hpp>
#include <pinion/host/ab/measure.hpp>
#include <pinion/host/ab/random.hpp>

namespace pinion::host::ab::test {

class SimulatedBench final : public Bench {
 public:
  explicit SimulatedBench(std::uint64_t seed) : random_(seed) {}

  Swap turn_to(Side side) override {
    side_ = side;
    ++swaps;
    return {0.001, 1 << 20};
  }

  Result<Run> run(std::size_t job, bool look, std::stop_token) override {
    ++runs;
    if (runs == fail_at) return Status(Code::out_of_memory, "the test refuses");
    if (on_run) on_run(runs);
    const double pace = 1 + drift * runs;
    const double synthesis = 0.4 * pace * noise(), start = 0.6 * pace * noise() * factor[index(side_)];
    Run run;
    run.seconds = synthesis + start;
    run.stages = {
        {"partition", run.seconds, 0}, {"partition/synthesize", synthesis, 0}, {"partition/start", start, 1 << 30}};
    if (only_on_b && side_ == Side::b) run.stages.push_back({"partition/copy", 0.1, 0});
    run.proof = proof.empty() ? std::to_string(runs) : proof[index(side_)];
    run.devices = {"device 0"};
    run.formats = {format};
    run.rss_peak = 1 << 30;
    run.device_busy = start / run.seconds;
    if (look)
      run.buffers = {{"small", "pageable", "", 10},
                     {"evaluations a", side_ == Side::a ? "pageable" : "pinned", sees, 1000}};
    run.job = job;
    return run;
  }

  std::array<double, 2> factor{1, 1};  // of one stage, by side
  double scatter = 0.02, drift = 0;
  bool only_on_b = false;
  int swaps = 0, runs = 0, fail_at = 0;
  std::string format = "evaluations";
  std::string sees;                // how the device sees the large buffers
  std::vector<std::string> proof;  // by side; empty: each its own
  std::function<void(int)> on_run;

 private:
  double uniform() { return (static_cast<double>(random_.next() >> 11) + 0.5) / 9007199254740992.0; }
  // Log-normal, and one run in twelve up to half as long again.
  double noise() {
    const double normal = std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
    return std::exp(scatter * normal) * (uniform() < 1 / 12.0 ? 1 + 0.5 * uniform() : 1);
  }

  Random random_;
  Side side_ = Side::a;
};

struct World {
  int loads_begun = 0, loads_ended = 0;
  std::function<double()> control = [] { return 0.01; };
  Surroundings surroundings() {
    return {control, [this](bool busy) { ++(busy ? loads_begun : loads_ended); }, [] { return 1e9; },
            [](std::size_t, std::size_t, const std::string&) {}};
  }
};

inline Record plan(std::uint64_t seed, std::size_t pairs, std::vector<Load> loads = {Load::idle}) {
  Record record;
  record.seed = seed;
  record.pairs = pairs;
  record.loads = std::move(loads);
  record.jobs = {"toy"};
  record.sides[0].file = "A.toml";
  record.sides[1].file = "B.toml";
  return record;
}

inline Findings measured(SimulatedBench& bench, Record& record, World world = {}) {
  measure(bench, world.surroundings(), record, {});
  return analyse(record, {});
}

}  // namespace pinion::host::ab::test
