#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <pinion/host/ab/doubts.hpp>
#include <pinion/host/base/units.hpp>
#include <set>

namespace pinion::host::ab {
namespace {

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

class Doubts {
 public:
  Doubts(const Record& record, const Findings& findings) : record_(record), findings_(findings) {}

  std::vector<std::string> all() {
    incomplete();
    few_for_stages();
    irrelevant();
    fallbacks();
    not_as_stated();
    devices();
    unsteady();
    unequal_load();
    return std::move(found_);
  }

 private:
  static char name(std::size_t side) { return side == 0 ? 'A' : 'B'; }

  void incomplete() {
    const std::size_t whole = findings_.whole_pairs();
    if (record_.interrupted())
      found_.push_back(fmt::format("interrupted by the operator after {} of {} pairs: what follows is of these", whole,
                                   record_.pairs));
    else if (!record_.ended.ok())
      found_.push_back(fmt::format("incomplete: {} of {} pairs were measured, then: {}", whole, record_.pairs,
                                   record_.ended.message()));
    if (whole < least_pairs)
      found_.push_back(fmt::format("{} whole {} cannot show anything: the test needs at least {}{}", whole,
                                   whole == 1 ? "pair" : "pairs", least_pairs,
                                   record_.interrupted() ? "" : "; see --repetitions"));
  }

  // The least p that so many pairs can give, times the number of stages tested: beyond 0.05 none can be shown.
  void few_for_stages() {
    for (const JobFindings& job : findings_.jobs) {
      if (job.cold || job.pairs < least_pairs || job.stages_tested == 0) continue;
      const double tests = static_cast<double>(job.stages_tested);
      const auto enough = static_cast<std::size_t>(std::ceil(std::log2(tests * 2 / (1 - confidence))));
      if (job.pairs >= enough) continue;
      found_.push_back(fmt::format("{} pairs can judge totals, but not {} stages at once: for those take {} or more",
                                   job.pairs, job.stages_tested, enough));
      return;  // once is enough
    }
  }

  // The witness route has no evaluations, which are what allocators are chosen for.
  void irrelevant() {
    if (!record_.only_allocators) return;
    std::set<std::string> formats;
    for (const TurnRecord& turn : record_.turns)
      for (const Run& run : turn.runs) formats.insert(run.formats.begin(), run.formats.end());
    if (formats != std::set<std::string>{"witness"}) return;
    std::uint64_t lent = 0;
    for (const SideFacts& side : record_.sides)
      for (const auto& job : side.buffers) {
        std::uint64_t sum = 0;
        for (const BufferSeen& buffer : job) sum += buffer.bytes;
        lent = std::max(lent, sum);
      }
    found_.push_back(fmt::format(
        "the allocator can hardly matter here: on the route \"witness\" a job is lent {} in all; to compare allocators "
        "set pipeline.job_format = \"evaluations\" for both sides (--set)",
        human_text(Bytes(lent))));
  }

  void fallbacks() {
    for (const std::size_t side : {0u, 1u}) {
      std::uint64_t uses = 0;
      for (const TurnRecord& turn : record_.turns)
        for (const Run& run : turn.runs)
          if (index(turn.turn.side) == side) uses += run.fallback_uses;
      if (uses != 0)
        found_.push_back(
            fmt::format("side {} is not what it says: {} times its allocator refused and the fallback "
                        "made the buffer",
                        name(side), uses));
    }
  }

  // An allocator's word against the device's.
  void not_as_stated() {
    for (const std::size_t side : {0u, 1u}) {
      std::map<std::string, std::set<std::string>> purposes;  // by both kinds
      for (const auto& lent : record_.sides[side].buffers)
        for (const BufferSeen& buffer : lent)
          if (!buffer.as_stated())
            purposes[fmt::format("stated {}, the device sees {}", buffer.stated, buffer.seen)].insert(buffer.purpose);
      for (const auto& [kinds, of] : purposes)
        found_.push_back(
            fmt::format("side {} is not what it says: memory is {}: {}; labels and rates go by what the "
                        "device sees; look at the options of {}",
                        name(side), kinds, fmt::join(of, ", "), record_.sides[side].allocator));
    }
  }

  void devices() {
    std::array<std::set<std::string>, 2> used;
    for (const TurnRecord& turn : record_.turns)
      for (const Run& run : turn.runs) used[index(turn.turn.side)].insert(run.devices.begin(), run.devices.end());
    if (used[0].size() > 1 || used[1].size() > 1)
      found_.push_back(fmt::format("jobs were spread over several devices, which need not be equally fast: {}",
                                   fmt::join(used[used[0].size() > 1 ? 0 : 1], "; ")));
    if (!used[0].empty() && !used[1].empty() && used[0] != used[1])
      found_.push_back(fmt::format("the sides ran on different devices: A on {}, B on {}", fmt::join(used[0], "; "),
                                   fmt::join(used[1], "; ")));
  }

  void unsteady() {
    const Steadiness& steady = findings_.steadiness;
    if (!steady.noisy()) return;
    std::string what = fmt::format(
        "the machine is noisy: a fixed piece of work between the turns scattered by {} and "
        "drifted by {} over the run",
        percent(steady.spread), percent(steady.drift));
    if (steady.favours_a_side())
      what += fmt::format("; before turns of B it took {} {}, so the machine itself favoured side {}",
                          percent(std::abs(std::expm1(steady.sides->estimate))),
                          steady.sides->estimate > 0 ? "longer" : "less", steady.sides->estimate > 0 ? "A" : "B");
    found_.push_back(what + "; stop what else runs here, or take more repetitions");
  }

  void unequal_load() {
    constexpr double much = 0.1;
    for (const JobFindings& job : findings_.jobs) {
      if (!job.load_rate[0] || !job.load_rate[1]) continue;
      const double share = *job.load_rate[1] / *job.load_rate[0] - 1;
      if (std::abs(share) > much)
        found_.push_back(
            fmt::format("{}: the load on the other cores got through {} {} on side B: the sides do not "
                        "leave the same to their neighbours",
                        record_.jobs[job.job], percent(std::abs(share)), share > 0 ? "more" : "less"));
    }
  }

  const Record& record_;
  const Findings& findings_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> doubts(const Record& record, const Findings& findings) {
  return Doubts(record, findings).all();
}

}  // namespace pinion::host::ab
