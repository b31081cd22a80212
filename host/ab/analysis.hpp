// From what was measured to what may be said: medians with intervals, shifts, verdicts, and the doubts an honest reader
// would raise himself. A verdict needs both an interval that leaves zero out and a p value that stands up to the number
// of comparisons made.
#pragma once

#include <pinion/host/ab/record.hpp>
#include <pinion/host/ab/statistics.hpp>

namespace pinion::host::ab {

enum class Verdict : std::uint8_t {
  b_faster,
  b_slower,
  no_difference,   // none shown: the interval covers zero, or the comparison is one of many
  too_few,         // pairs, for any test to say anything
  too_short,       // a stage of less than one percent of the total: not tested, so that the others can be
  not_comparable,  // the stage runs on one side only, or in no measurable time
};
std::string_view verdict_text(Verdict verdict);  // "B is faster"
std::string_view verdict_name(Verdict verdict);  // "b_faster", for programs
bool is_real(Verdict verdict);

struct Summary {
  std::vector<double> values;  // by pair
  double median = 0;
  Interval interval;
};

// One duration on both sides, pair by pair. Shares are of A: 0.1 is "B takes 10 % longer".
struct Comparison {
  std::string path;                             // "total", or a stage's
  std::array<std::optional<Summary>, 2> sides;  // nothing: the stage does not run there
  std::array<std::uint64_t, 2> bytes{};         // moved, at the median; for rates
  std::optional<double> share;
  std::optional<Interval> interval;
  double p = 1, p_adjusted = 1;
  Verdict verdict = Verdict::not_comparable;
  std::optional<std::size_t> pairs_needed;  // to show this shift, when it is not shown
  std::optional<double> detectable;         // the least share that these pairs would have shown
};

struct JobFindings {
  std::size_t job = 0;
  Load load = Load::idle;
  bool cold = false;  // the runs that made the pool anew
  std::size_t pairs = 0;
  Comparison total;
  std::vector<Comparison> stages;
  std::size_t stages_tested = 0;
  std::array<std::optional<Summary>, 2> rss;          // peaks, bytes
  std::array<std::optional<Summary>, 2> device_busy;  // shares of a job's time
  std::array<std::optional<double>, 2> load_rate;     // median, bytes per second; under load
};

// How steady the machine was, by a fixed piece of work before each turn.
struct Steadiness {
  std::size_t turns = 0;
  double median = 0;
  double spread = 0;           // half of the middle 90 %, as a share of the median
  double drift = 0;            // last third against first third, as a share
  std::optional<Shift> sides;  // of B against A, in logarithms: should cover zero
  bool noisy() const;
  bool favours_a_side() const;
};

struct Findings {
  std::vector<JobFindings> jobs;
  Steadiness steadiness;
  std::array<std::optional<Summary>, 2> swap;  // seconds to put the side in its place
  std::vector<std::string> warnings;           // what a reader must know before he believes it

  std::size_t whole_pairs() const;  // of every job under every load
};

// Of the pairs that are whole. `warnings` come first in the findings. [any]
Findings analyse(const Record& record, std::vector<std::string> warnings);

}  // namespace pinion::host::ab
