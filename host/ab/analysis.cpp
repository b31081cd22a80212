#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <pinion/host/ab/analysis.hpp>
#include <pinion/host/ab/doubts.hpp>

namespace pinion::host::ab {
namespace {

constexpr double significant = 1 - confidence;
constexpr double unfair = 0.01;    // difference of the control between the sides that is worth a warning
constexpr double restless = 0.05;  // spread or drift of the control beyond which a machine is called noisy

using PairRuns = std::vector<std::array<const Run*, 2>>;

// The runs of one job under one load, by pair; pairs that are not whole are left out.
PairRuns pairs_of(const Record& record, std::size_t job, Load load, bool cold) {
  std::map<std::size_t, std::array<const Run*, 2>> by_pair;
  for (const TurnRecord& turn : record.turns)
    for (const Run& run : turn.runs)
      if (run.job == job && run.warm_up == cold && (cold || run.load == load))
        by_pair[turn.turn.pair][index(turn.turn.side)] = &run;
  PairRuns out;
  for (const auto& [pair, runs] : by_pair)
    if (runs[0] && runs[1]) out.push_back(runs);
  return out;
}

class Analysis {
 public:
  Analysis(const Record& record, Findings& findings) : record_(record), findings_(findings) {}

  void run() {
    for (std::size_t job = 0; job < record_.jobs.size(); ++job) {
      for (const Load load : record_.loads) add(job, load, false);
      add(job, Load::idle, true);
    }
    judge_totals();
    steadiness();
    for (const Side side : {Side::a, Side::b}) {
      std::vector<double> seconds;
      for (const TurnRecord& turn : record_.turns)
        if (turn.turn.side == side && !turn.runs.empty()) seconds.push_back(turn.swap_seconds);
      findings_.swap[index(side)] = summary(std::move(seconds));
    }
  }

 private:
  std::optional<Summary> summary(std::vector<double> values) const {
    if (values.empty()) return std::nullopt;
    Summary out{std::move(values), 0, {}};
    out.median = median(out.values);
    out.interval = median_interval(out.values, record_.seed);
    return out;
  }

  void add(std::size_t job, Load load, bool cold) {
    const PairRuns runs = pairs_of(record_, job, load, cold);
    if (runs.empty()) return;
    JobFindings found;
    found.job = job;
    found.load = load;
    found.cold = cold;
    found.pairs = runs.size();
    found.total = compare("total", runs, [](const Run& run) { return std::optional(run.seconds); });
    for (const std::string& path : paths_of(runs)) found.stages.push_back(compare_stage(path, runs));
    found.stages_tested = judge(found);
    for (const Side side : {Side::a, Side::b}) memory_and_load(found, runs, index(side));
    findings_.jobs.push_back(std::move(found));
  }

  void memory_and_load(JobFindings& found, const PairRuns& runs, std::size_t side) const {
    std::vector<double> rss, busy, rate;
    for (const auto& pair : runs) {
      rss.push_back(static_cast<double>(pair[side]->rss_peak));
      if (pair[side]->device_busy) busy.push_back(*pair[side]->device_busy);
      if (pair[side]->load_bytes_per_second > 0) rate.push_back(pair[side]->load_bytes_per_second);
    }
    found.rss[side] = summary(std::move(rss));
    found.device_busy[side] = summary(std::move(busy));
    if (!rate.empty()) found.load_rate[side] = median(rate);
  }

  // Every stage of any run, each behind the one that holds it, else in the order of first appearance.
  static std::vector<std::string> paths_of(const PairRuns& runs) {
    std::vector<std::string> seen, out;
    for (const auto& pair : runs)
      for (const Run* run : pair)
        for (const StageTime& stage : run->stages)
          if (std::find(seen.begin(), seen.end(), stage.path) == seen.end()) seen.push_back(stage.path);
    add_within("", seen, out);
    return out;
  }
  static void add_within(const std::string& holder, const std::vector<std::string>& seen,
                         std::vector<std::string>& out) {
    for (const std::string& path : seen) {
      const auto slash = path.rfind('/');
      if (path.substr(0, slash == std::string::npos ? 0 : slash) != holder) continue;
      out.push_back(path);
      add_within(path, seen, out);
    }
  }

  static const StageTime* stage_of(const Run& run, const std::string& path) {
    const auto is = [&](const StageTime& stage) { return stage.path == path; };
    const auto at = std::find_if(run.stages.begin(), run.stages.end(), is);
    return at == run.stages.end() ? nullptr : &*at;
  }

  Comparison compare_stage(const std::string& path, const PairRuns& runs) const {
    Comparison out = compare(path, runs, [&](const Run& run) {
      const StageTime* stage = stage_of(run, path);
      return stage ? std::optional(stage->seconds) : std::nullopt;
    });
    for (const Side side : {Side::a, Side::b}) {
      std::vector<double> bytes;
      for (const auto& pair : runs)
        if (const StageTime* stage = stage_of(*pair[index(side)], path))
          bytes.push_back(static_cast<double>(stage->bytes));
      if (!bytes.empty()) out.bytes[index(side)] = static_cast<std::uint64_t>(median(bytes));
    }
    return out;
  }

  template <class SecondsOf>
  Comparison compare(const std::string& path, const PairRuns& runs, SecondsOf seconds_of) const {
    Comparison out;
    out.path = path;
    std::array<std::vector<double>, 2> values;
    for (const auto& pair : runs)
      for (const std::size_t side : {0u, 1u})
        if (const auto seconds = seconds_of(*pair[side])) values[side].push_back(*seconds);
    const bool whole = values[0].size() == runs.size() && values[1].size() == runs.size();
    if (whole) shift(out, values[0], values[1]);
    for (const std::size_t side : {0u, 1u}) out.sides[side] = summary(std::move(values[side]));
    return out;
  }

  // Logarithms make the shift a ratio, and long tails shorter.
  static void shift(Comparison& out, const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!(a[i] > 0) || !(b[i] > 0)) return;
      differences.push_back(std::log(b[i] / a[i]));
    }
    const Shift shift = shift_of(differences);
    out.share = std::expm1(shift.estimate);
    out.p = out.p_adjusted = shift.p;
    out.verdict = shift.interval ? Verdict::no_difference : Verdict::too_few;
    if (shift.interval) out.interval = Interval{std::expm1(shift.interval->low), std::expm1(shift.interval->high)};
    out.pairs_needed = pairs_needed(differences, shift.estimate);
    if (const auto least = detectable(differences)) out.detectable = std::expm1(*least);
  }

  template <class Pointers>
  static void judge_all(const Pointers& comparisons) {
    std::vector<double> p;
    for (const Comparison* one : comparisons) p.push_back(one->p);
    const auto adjusted = holm(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
      Comparison& one = *comparisons[i];
      one.p_adjusted = adjusted[i];
      const bool real = one.interval && !one.interval->covers(0) && one.p_adjusted <= significant;
      if (real) one.verdict = *one.share < 0 ? Verdict::b_faster : Verdict::b_slower;
    }
  }

  // The stages of a job under a load are one family of tests; the fewer, the more each can show.
  static std::size_t judge(JobFindings& found) {
    std::vector<Comparison*> tested;
    for (Comparison& one : found.stages) {
      if (!one.interval) continue;
      if (worth_testing(one, found.total))
        tested.push_back(&one);
      else
        one.verdict = Verdict::too_short;
    }
    judge_all(tested);
    return tested.size();
  }

  static bool worth_testing(const Comparison& stage, const Comparison& total) {
    constexpr double least = 0.01;
    const auto share = [&](std::size_t side) { return stage.sides[side]->median / total.sides[side]->median; };
    return share(0) >= least || share(1) >= least;
  }

  // The totals of all jobs under all loads are one family of tests, the cold ones another.
  void judge_totals() {
    for (const bool cold : {false, true}) {
      std::vector<Comparison*> tested;
      for (JobFindings& found : findings_.jobs)
        if (found.cold == cold && found.total.interval) tested.push_back(&found.total);
      judge_all(tested);
    }
  }

  void steadiness() {
    std::vector<double> all;
    std::map<std::size_t, std::array<double, 2>> by_pair;
    for (const TurnRecord& turn : record_.turns) {
      if (!(turn.control > 0)) continue;
      all.push_back(turn.control);
      by_pair[turn.turn.pair][index(turn.turn.side)] = turn.control;
    }
    Steadiness& out = findings_.steadiness;
    out.turns = all.size();
    if (all.empty()) return;
    out.median = median(all);
    std::vector<double> logs;
    for (const auto& [pair, controls] : by_pair)
      if (controls[0] > 0 && controls[1] > 0) logs.push_back(std::log(controls[1] / controls[0]));
    if (logs.size() >= least_pairs) out.sides = shift_of(logs);
    const std::size_t third = all.size() / 3;
    if (third >= 2) {
      const std::span<const double> values(all);
      out.drift = median(values.last(third)) / median(values.first(third)) - 1;
    }
    std::sort(all.begin(), all.end());
    const std::size_t cut = all.size() / 20;
    out.spread = (all[all.size() - 1 - cut] - all[cut]) / 2 / out.median;
  }

  const Record& record_;
  Findings& findings_;
};

}  // namespace

std::string_view verdict_text(Verdict verdict) {
  constexpr std::array<std::string_view, 6> texts{"B is faster",   "B is slower",        "no difference shown",
                                                  "too few pairs", "too short to judge", "not comparable"};
  return texts[static_cast<std::size_t>(verdict)];
}

std::string_view verdict_name(Verdict verdict) {
  constexpr std::array<std::string_view, 6> names{"b_faster", "b_slower",  "no_difference",
                                                  "too_few",  "too_short", "not_comparable"};
  return names[static_cast<std::size_t>(verdict)];
}

bool is_real(Verdict verdict) {
  return verdict == Verdict::b_faster || verdict == Verdict::b_slower;
}

bool Steadiness::noisy() const {
  return spread > restless || std::abs(drift) > restless || favours_a_side();
}

bool Steadiness::favours_a_side() const {
  return sides && sides->interval && !sides->interval->covers(0) && std::abs(sides->estimate) > unfair;
}

std::size_t Findings::whole_pairs() const {
  const auto fewer = [](const JobFindings& a, const JobFindings& b) { return a.pairs < b.pairs; };
  const auto least = std::min_element(jobs.begin(), jobs.end(), fewer);
  return least == jobs.end() ? 0 : least->pairs;
}

Findings analyse(const Record& record, std::vector<std::string> warnings) {
  Findings findings;
  findings.warnings = std::move(warnings);
  Analysis(record, findings).run();
  for (std::string& doubt : doubts(record, findings)) findings.warnings.push_back(std::move(doubt));
  return findings;
}

}  // namespace pinion::host::ab
