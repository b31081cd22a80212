#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <pinion/host/ab/words.hpp>
#include <set>

namespace pinion::host::ab {
namespace {

// Four digits, whatever the size: "812.3", "8.123".
std::string four_digits(double value) {
  const int whole = value < 10 ? 1 : value < 100 ? 2 : 3;
  return fmt::format("{:.{}f}", value, 4 - whole);
}

// Beyond ten times nobody thinks in percent: a stage that only waits for another may well take a thousand times as
// long.
constexpr double tenfold = 9;

std::string percent_number(double share) {
  return share >= tenfold ? fmt::format("x{:.0f}", 1 + share) : fmt::format("{:+.1f}", 100 * share);
}

// "3.1 %", or "0.02 %" when one digit would say zero.
std::string plain_percent(double share) {
  return fmt::format("{:.{}f} %", 100 * share, share < 0.0005 ? 3 : share < 0.005 ? 2 : 1);
}

}  // namespace

std::string time_text(double seconds) {
  if (seconds >= 1000) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1) return four_digits(seconds) + " s";
  if (seconds >= 1e-3) return four_digits(seconds * 1e3) + " ms";
  return four_digits(seconds * 1e6) + " us";
}

std::string share_text(double share) {
  return percent_number(share) + (share >= tenfold ? "" : " %");
}

std::string interval_text(const Interval& of_shares) {
  return fmt::format("[{}, {}]", percent_number(of_shares.low), percent_number(of_shares.high));
}

std::string rate_text(double bytes_per_second) {
  return four_digits(bytes_per_second / 1e9) + " GB/s";
}

std::string p_text(double p) {
  return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p);
}

std::string busy_text(const std::optional<Summary>& shares) {
  if (!shares) return "not reported";
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100 * shares->median, 100 * shares->interval.low,
                     100 * shares->interval.high);
}

std::string_view load_text(const JobFindings& found) {
  if (found.cold) return "pool made anew";
  return found.load == Load::busy ? "every core busy" : "idle";
}

std::string conclusion(const JobFindings& found) {
  const Comparison& total = found.total;
  if (!total.share) return "The sides cannot be compared.";
  if (is_real(total.verdict)) {
    return fmt::format("{} by {} (95 %: {} %), p {} over {} pairs.", verdict_text(total.verdict),
                       plain_percent(std::abs(*total.share)), interval_text(*total.interval), p_text(total.p_adjusted),
                       found.pairs);
  }
  std::string text;
  if (!total.interval)
    text = fmt::format("Nothing can be said after {} {}: no test can show anything with fewer than {}.", found.pairs,
                       found.pairs == 1 ? "pair" : "pairs", least_pairs);
  else if (total.interval->covers(0))
    text = fmt::format("No difference shown: the interval {} % covers zero.", interval_text(*total.interval));
  else
    text = fmt::format(
        "No difference shown: {} would stand alone (95 %: {} %), but not as one of the comparisons made "
        "here (p {}).",
        share_text(*total.share), interval_text(*total.interval), p_text(total.p_adjusted));
  if (total.interval && total.detectable)
    text += fmt::format(" {} pairs would most likely have shown {}.", found.pairs, plain_percent(*total.detectable));
  if (total.pairs_needed)
    text += fmt::format(" If the {} measured were real, it would take about {} repetitions to show.",
                        share_text(*total.share), *total.pairs_needed);
  else if (total.interval)
    text += " No number of repetitions within reason would show the difference measured.";
  return text;
}

std::string kind_label(const BufferSeen& buffer) {
  if (buffer.seen.empty()) return "stated " + buffer.stated;
  return buffer.as_stated() ? buffer.seen : buffer.seen + ", stated " + buffer.stated;
}

std::vector<std::string> label_notes(const Record& record) {
  std::set<std::string> silent;  // devices that ran where something is not known
  for (const TurnRecord& turn : record.turns) {
    const auto unknown = [](const BufferSeen& buffer) { return buffer.seen.empty(); };
    bool any = false;
    for (const auto& lent : record.sides[index(turn.turn.side)].buffers)
      any = any || std::any_of(lent.begin(), lent.end(), unknown);
    if (!any) continue;
    for (const Run& run : turn.runs) silent.insert(run.devices.begin(), run.devices.end());
  }
  std::vector<std::string> out;
  for (const std::string& device : silent) {
    const auto& host = record.host_devices;
    const bool all_the_same = std::find(host.begin(), host.end(), device) != host.end();
    out.push_back(device + (all_the_same ? " works in host memory: it reads all of it directly, whatever its kind."
                                         : " does not say of all memory how it sees it: that is labelled as its "
                                           "allocator states it."));
  }
  return out;
}

std::string kinds_text(const std::vector<BufferSeen>& buffers) {
  std::set<std::string> kinds;
  for (const BufferSeen& buffer : buffers) kinds.insert(kind_label(buffer));
  std::string text;
  for (const std::string& kind : kinds) text += (text.empty() ? "" : " and ") + kind;
  return text.empty() ? "none" : text;
}

std::string lent_kinds(const Record& record, std::size_t side, std::size_t job) {
  const auto& buffers = record.sides[side].buffers;
  return job < buffers.size() ? kinds_text(buffers[job]) : "unseen";
}

std::vector<const Comparison*> main_stages(const JobFindings& found) {
  constexpr double least = 0.005;
  std::vector<const Comparison*> out;
  for (const Comparison& stage : found.stages) {
    const auto matters = [&](std::size_t side) {
      return stage.sides[side] && found.total.sides[side] &&
             stage.sides[side]->median >= least * found.total.sides[side]->median;
    };
    if (matters(0) || matters(1)) out.push_back(&stage);
  }
  return out;
}

std::optional<double> stage_rate(const Comparison& stage, std::size_t side) {
  if (!stage.sides[side] || stage.bytes[side] == 0 || !(stage.sides[side]->median > 0)) return std::nullopt;
  return static_cast<double>(stage.bytes[side]) / stage.sides[side]->median;
}

}  // namespace pinion::host::ab
