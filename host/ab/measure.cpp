#include <algorithm>
#include <exception>
#include <pinion/host/ab/measure.hpp>

namespace pinion::host::ab {
namespace {

// Leads out of the run from any depth; never leaves this file.
struct Ended {
  Status why;
};

class Measurement {
 public:
  Measurement(Bench& bench, const Surroundings& surroundings, Record& record, std::stop_token stop)
      : bench_(bench), around_(surroundings), record_(record), stop_(std::move(stop)) {}

  void run() {
    const auto schedule = make_schedule(record_.pairs, record_.seed);
    total_ = record_.jobs.size() * (2 + schedule.size() * (1 + record_.loads.size()));
    for (const Side side : {Side::a, Side::b}) prime(side);
    for (const Turn& turn : schedule) {
      record_.turns.push_back({turn, 0, 0, 0, {}});
      take(record_.turns.back());
    }
  }

 private:
  // Loads what both sides share, so that no turn pays for it, and looks at the memory each side lends.
  void prime(Side side) {
    bench_.turn_to(side);
    auto& buffers = record_.sides[index(side)].buffers;
    for (std::size_t job = 0; job < record_.jobs.size(); ++job) {
      Run run = prove(side, job, true);
      std::stable_sort(run.buffers.begin(), run.buffers.end(), [](auto& a, auto& b) { return a.bytes > b.bytes; });
      buffers.push_back(std::move(run.buffers));
    }
  }

  void take(TurnRecord& record) {
    const Side side = record.turn.side;
    record.control = around_.control();
    const Swap swap = bench_.turn_to(side);
    record.swap_seconds = swap.seconds;
    record.swap_bytes = swap.bytes;
    for (std::size_t job = 0; job < record_.jobs.size(); ++job) {
      record.runs.push_back(prove(side, job, false));
      record.runs.back().warm_up = true;
    }
    auto loads = record_.loads;
    if (record.turn.busy_first) std::reverse(loads.begin(), loads.end());
    for (const Load load : loads) under(load, record);
  }

  void under(Load load, TurnRecord& record) {
    const bool busy = load == Load::busy;
    if (busy) around_.load(true);
    struct Rest {
      const Surroundings& around;
      bool busy;
      ~Rest() {
        if (busy) around.load(false);
      }
    } const rest{around_, busy};
    for (std::size_t job = 0; job < record_.jobs.size(); ++job) {
      record.runs.push_back(prove(record.turn.side, job, false));
      Run& run = record.runs.back();
      run.load = load;
      if (busy) run.load_bytes_per_second = around_.load_rate();
    }
  }

  Run prove(Side side, std::size_t job, bool look) {
    const std::string what = record_.jobs[job] + (side == Side::a ? " on side A" : " on side B");
    around_.progress(done_, total_, what);
    auto run = stop_.stop_requested() ? Result<Run>(Status(Code::cancelled, "")) : bench_.run(job, look, stop_);
    if (!run)
      throw Ended{run.status().code() == Code::cancelled ? Status(Code::cancelled, "interrupted")
                                                         : run.status().within(what)};
    ++done_;
    run->job = job;
    same_proof(side, *run);
    return std::move(*run);
  }

  void same_proof(Side side, const Run& run) {
    if (!record_.fixed_random) return;
    if (proofs_.size() <= run.job) proofs_.resize(run.job + 1);
    std::string& first = proofs_[run.job];
    if (first.empty()) first = run.proof;
    if (first == run.proof) return;
    throw Ended{{Code::internal, std::string("side ") + (side == Side::a ? "A" : "B") + " proved " +
                                     record_.jobs[run.job] + " with the same randomness to other bytes: " + run.proof +
                                     " instead of " + first}};
  }

  Bench& bench_;
  const Surroundings& around_;
  Record& record_;
  const std::stop_token stop_;
  std::size_t done_ = 0, total_ = 0;
  std::vector<std::string> proofs_;  // by job
};

}  // namespace

void measure(Bench& bench, const Surroundings& surroundings, Record& record, std::stop_token stop) {
  try {
    Measurement(bench, surroundings, record, std::move(stop)).run();
  } catch (const Ended& ended) {
    record.ended = ended.why;
  }
}

}  // namespace pinion::host::ab
