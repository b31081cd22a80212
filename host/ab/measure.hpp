// The run of a comparison: who is measured when, and in what state. Every turn is the same for both sides: the
// machine's pace is taken, the pool is swapped, each job is proved once to make the pool anew, then once under each
// load. Knows neither provers nor statistics.
#pragma once

#include <functional>
#include <pinion/host/ab/record.hpp>
#include <stop_token>

namespace pinion::host::ab {

struct Swap {
  double seconds = 0;
  std::uint64_t bytes = 0;
};

// What is compared: two sides of something that does jobs.
class Bench {
 public:
  virtual ~Bench() = default;
  // From now on jobs run on this side, whose pool is empty. [main]
  virtual Swap turn_to(Side side) = 0;
  // Does a job; `look`: also says which memory it was lent, which may disturb the measurement. Fails as Prover::prove.
  // [main]
  virtual Result<Run> run(std::size_t job, bool look, std::stop_token stop) = 0;
};

// What surrounds the measurement; tests bring their own.
struct Surroundings {
  std::function<double()> control;      // seconds of a fixed piece of work
  std::function<void(bool busy)> load;  // begins and ends the load on all cores
  std::function<double()> load_rate;    // bytes per second since the load began
  // Work done and to do, in jobs, and what is going on.
  std::function<void(std::size_t done, std::size_t total, const std::string& what)> progress;
};

// Fills `record`, whose seed, pairs, loads and jobs say what to do. When it stops early, by `stop` or because a job
// failed, what was done stays and `ended` says why. [main]
void measure(Bench& bench, const Surroundings& surroundings, Record& record, std::stop_token stop);

}  // namespace pinion::host::ab
