#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <pinion/host/ab/text_report.hpp>
#include <pinion/host/ab/words.hpp>
#include <pinion/host/base/units.hpp>
#include <sstream>

namespace pinion::host::ab {
namespace {

constexpr std::size_t width = 80;
constexpr std::size_t name_width = 24;

constexpr const char* shifts_note =
    "B vs. A is estimated from the shifts within pairs (Hodges-Lehmann): it is not the quotient of the two medians.";

// Words put into lines; those after the first begin with `indent` spaces.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return out + line + "\n";
}

std::string cut(std::string text, std::size_t most) {
  if (text.size() > most) text = text.substr(0, most - 3) + "...";
  return text;
}

// "partition/synthesize/rows" -> "    rows".
std::string indented(const std::string& path) {
  const auto last = path.find_last_of('/');
  const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) + 1;
  return cut(std::string(2 * depth, ' ') + (last == std::string::npos ? path : path.substr(last + 1)), name_width);
}

// "partition/start/copy witness" -> "start/copy witness".
std::string last_two(const std::string& path) {
  const auto last = path.find_last_of('/');
  const auto before = last == std::string::npos || last == 0 ? last : path.find_last_of('/', last - 1);
  return cut(before == std::string::npos ? path : path.substr(before + 1), name_width);
}

std::string mark(Verdict verdict) {
  if (verdict == Verdict::b_faster) return "faster";
  if (verdict == Verdict::b_slower) return "slower";
  return "";
}

class TextReport {
 public:
  TextReport(const Record& record, const Findings& findings) : record_(record), findings_(findings) {}

  std::string text() {
    header();
    for (const std::string& warning : findings_.warnings) out_ += wrapped("warning: " + warning, 9);
    if (!findings_.warnings.empty()) out_ += "\n";
    for (const JobFindings& found : findings_.jobs)
      if (!found.cold) job(found);
    out_ += wrapped(shifts_note, 2) + wrapped(stages_note, 2);
    around();
    return std::move(out_);
  }

 private:
  void header() {
    for (const std::size_t side : {0u, 1u}) {
      const SideFacts& facts = record_.sides[side];
      out_ += fmt::format("{}  {}, allocator {}\n", side == 0 ? 'A' : 'B', facts.file, facts.allocator);
      for (const std::string& setting : facts.settings) out_ += cut("   " + setting, width) + "\n";
    }
    out_ += fmt::format("\n{} {} of turns, ABBA or BAAB as a coin falls (seed {})\n\n", record_.pairs,
                        record_.pairs == 1 ? "pair" : "pairs", record_.seed);
  }

  void row(const Comparison& one, const std::string& name) {
    const auto cell = [&](std::size_t side) { return one.sides[side] ? time_text(one.sides[side]->median) : "-"; };
    std::string line = fmt::format("{:<{}}  {:>9}  {:>9}", name, name_width, cell(0), cell(1));
    if (one.share) {
      line += fmt::format("  {:>8} {:<16} {}", share_text(*one.share), one.interval ? interval_text(*one.interval) : "",
                          mark(one.verdict));
    }
    out_ += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }

  void job(const JobFindings& found) {
    out_ += fmt::format("{}, {}, {} {}\n", record_.jobs[found.job], load_text(found), found.pairs,
                        found.pairs == 1 ? "pair" : "pairs");
    out_ += fmt::format("{:<{}}  {:>9}  {:>9}  {:>8} {}\n", "", name_width, "A", "B", "B vs. A", "95 %, in %");
    row(found.total, "total");
    for (const Comparison* stage : main_stages(found)) row(*stage, indented(stage->path));
    out_ += wrapped(conclusion(found), 0);
    rates(found);
    if (found.load_rate[0] && found.load_rate[1])
      out_ += fmt::format("The load on {} threads moved {} beside A, {} beside B.\n", record_.load_threads,
                          rate_text(*found.load_rate[0]), rate_text(*found.load_rate[1]));
    out_ += "\n";
  }

  void rates(const JobFindings& found) {
    std::string rows;
    for (const Comparison& stage : found.stages) {
      const auto a = stage_rate(stage, 0), b = stage_rate(stage, 1);
      if (a || b)
        rows += fmt::format("  {:<{}}  {:>10}  {:>10}\n", last_two(stage.path), name_width, a ? rate_text(*a) : "-",
                            b ? rate_text(*b) : "-");
    }
    if (rows.empty()) return;
    out_ += wrapped(fmt::format("Bytes moved; memory of A: {}; of B: {}", lent_kinds(record_, 0, found.job),
                                lent_kinds(record_, 1, found.job)),
                    2) +
            rows;
  }

  void around() {
    for (const JobFindings& found : findings_.jobs) cold(found);
    memory();
    buffers();
    devices();
    const Steadiness& steady = findings_.steadiness;
    if (steady.turns != 0)
      out_ += wrapped(fmt::format("Machine: a fixed piece of work before each turn took {}, scattered by {:.1f} % and "
                                  "drifted by {:+.1f} %.",
                                  time_text(steady.median), 100 * steady.spread, 100 * steady.drift),
                      0);
  }

  void cold(const JobFindings& found) {
    if (!found.cold || !found.total.sides[0] || !found.total.sides[1]) return;
    std::string line = fmt::format("{}, first of its turn, pool made anew: A {}, B {}", record_.jobs[found.job],
                                   time_text(found.total.sides[0]->median), time_text(found.total.sides[1]->median));
    if (found.total.share)
      line += fmt::format(" ({}; {})", share_text(*found.total.share), verdict_text(found.total.verdict));
    out_ += wrapped(line + ". Not part of the figures above.", 2);
  }

  void memory() {
    if (findings_.swap[0] && findings_.swap[1])
      out_ +=
          wrapped(fmt::format("Beginning a turn, the other side's pool given back to the OS: A {}, B {} at the median.",
                              time_text(findings_.swap[0]->median), time_text(findings_.swap[1]->median)),
                  2);
    std::array<double, 2> peak{};
    for (const JobFindings& found : findings_.jobs)
      for (const std::size_t side : {0u, 1u})
        if (found.rss[side]) peak[side] = std::max(peak[side], found.rss[side]->median);
    if (peak[0] > 0)
      out_ += fmt::format("Resident memory at its peak: A {}, B {}.\n",
                          human_text(Bytes(static_cast<std::uint64_t>(peak[0]))),
                          human_text(Bytes(static_cast<std::uint64_t>(peak[1]))));
  }

  void buffers() {
    for (const std::size_t side : {0u, 1u})
      for (std::size_t job = 0; job < record_.sides[side].buffers.size(); ++job) {
        const std::string to = fmt::format("{} lent to {}", side == 0 ? 'A' : 'B', record_.jobs[job]);
        std::map<std::string, std::string> lent;  // by label
        for (const BufferSeen& buffer : record_.sides[side].buffers[job]) {
          std::string& list = lent[kind_label(buffer)];
          list += fmt::format("{}{} {}", list.empty() ? "" : ", ", buffer.purpose, human_text(Bytes(buffer.bytes)));
        }
        for (const auto& [label, list] : lent) out_ += wrapped(fmt::format("{}, {}: {}", to, label, list), 2);
        if (lent.empty()) out_ += wrapped(to + ": no buffer", 2);
      }
    for (const std::string& note : label_notes(record_)) out_ += wrapped(note, 2);
  }

  void devices() {
    for (const JobFindings& found : findings_.jobs)
      if (!found.cold && (found.device_busy[0] || found.device_busy[1]))
        out_ +=
            wrapped(fmt::format("Device utilisation, {}, {}: A {}, B {} (of the job's time).", record_.jobs[found.job],
                                load_text(found), busy_text(found.device_busy[0]), busy_text(found.device_busy[1])),
                    2);
    for (const std::string& device : record_.silent_devices)
      out_ += wrapped(fmt::format("Device utilisation: not reported by {}.", device), 2);
  }

  const Record& record_;
  const Findings& findings_;
  std::string out_;
};

}  // namespace

std::string text_report(const Record& record, const Findings& findings) {
  return TextReport(record, findings).text();
}

}  // namespace pinion::host::ab
