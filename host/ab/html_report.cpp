#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/ab/html_report.hpp>
#include <pinion/host/ab/html_style.hpp>
#include <pinion/host/ab/plots.hpp>
#include <pinion/host/ab/words.hpp>
#include <pinion/host/base/units.hpp>
#include <utility>

namespace pinion::host::ab {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string bytes_text(double bytes) {
  return human_text(Bytes(static_cast<std::uint64_t>(bytes)));
}

class HtmlReport {
 public:
  HtmlReport(const Record& record, const Findings& findings) : record_(record), findings_(findings) {}

  std::string html() {
    const std::string title = escaped(record_.sides[0].file + " against " + record_.sides[1].file);
    out_ = fmt::format(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\"><title>pinion ab: {}</title><style>{}</style></head><body>"
        "<main><h1>{}</h1>",
        title, html_style, title);
    sides();
    for (const std::string& warning : findings_.warnings)
      out_ += fmt::format("<p class=\"warning\"><strong>Warning</strong> {}</p>", escaped(warning));
    for (const JobFindings& found : findings_.jobs)
      if (!found.cold) job(found);
    around();
    machine();
    reading();
    return std::move(out_) + "</main></body></html>\n";
  }

 private:
  void sides() {
    out_ += "<div class=\"sides\">";
    for (const std::size_t side : {0u, 1u}) {
      const SideFacts& facts = record_.sides[side];
      out_ += fmt::format("<section><h2>{}{}: {}</h2><p>allocator {}</p>", key(side == 0 ? 'a' : 'b'),
                          side == 0 ? 'A' : 'B', escaped(facts.file), escaped(facts.allocator));
      for (const std::string& setting : facts.settings) out_ += fmt::format("<pre>{}</pre>", escaped(setting));
      out_ += "</section>";
    }
    out_ += "</div>";
  }

  void row(const Comparison& one, double reach, std::string_view name, std::size_t depth) {
    const auto cell = [&](std::size_t side) {
      if (!one.sides[side]) return std::string("<td>-</td>");
      return fmt::format("<td title=\"median, 95 %: {} to {}\">{}</td>", time_text(one.sides[side]->interval.low),
                         time_text(one.sides[side]->interval.high), time_text(one.sides[side]->median));
    };
    const bool real = is_real(one.verdict);
    out_ += fmt::format(
        "<tr><th style=\"padding-left:{:.1f}em\">{}</th>{}{}<td class=\"plot\">{}</td><td>{}</td>"
        "<td>{}</td><td class=\"verdict\">{}</td></tr>",
        0.3 + 0.9 * static_cast<double>(depth), escaped(name), cell(0), cell(1), interval_plot(one, reach),
        one.share ? share_text(*one.share) : "", one.interval ? interval_text(*one.interval) : "",
        real ? (one.verdict == Verdict::b_faster ? "B faster" : "B slower") : "");
  }

  // The head of a table whose second and third columns are the sides. `before` and `after`: its other cells.
  void table(std::string_view kind, std::string_view before, std::string_view after) {
    out_ += fmt::format(
        "<div class=\"wide\"><table class=\"{}\"><thead><tr><th>{}</th><th>{}</th><th>{}</th>{}</tr></thead><tbody>",
        kind, before, key('a') + "A", key('b') + "B", after);
  }
  void end_table() { out_ += "</tbody></table></div>"; }

  static std::string key(char side) { return fmt::format("<span class=\"key {}\"></span>", side); }

  void job(const JobFindings& found) {
    out_ += fmt::format("<h2>{}, {}</h2><p class=\"conclusion\">{}</p>", escaped(record_.jobs[found.job]),
                        load_text(found), escaped(conclusion(found)));
    auto compared = main_stages(found);
    compared.insert(compared.begin(), &found.total);
    const double reach = reach_of(compared);
    table("stages", "median", "<th class=\"plot\">B against A</th><th></th><th>95 % interval</th><th></th>");
    for (const Comparison* one : compared) {
      const auto last = one->path.find_last_of('/');
      const auto depth = one == &found.total ? 0 : 1 + std::count(one->path.begin(), one->path.end(), '/');
      row(*one, reach, last == std::string::npos ? one->path : one->path.substr(last + 1),
          static_cast<std::size_t>(depth));
    }
    end_table();
    out_ += fmt::format(
        "<p class=\"note\">How much longer B takes, from {} at the left to {} at the right; at the middle line "
        "both take the same. A line with an arrow goes on beyond. {}</p>",
        share_text(-reach), share_text(reach), stages_note);
    out_ += pairs_plot(found.total);
    rates(found);
  }

  void rates(const JobFindings& found) {
    const auto text = [&](const Comparison& stage, std::size_t side) {
      const auto rate = stage_rate(stage, side);
      return rate ? fmt::format("{} ({})", rate_text(*rate), lent_kinds(record_, side, found.job)) : "-";
    };
    bool any = false;
    for (const Comparison& stage : found.stages) {
      if (!stage_rate(stage, 0) && !stage_rate(stage, 1)) continue;
      if (!std::exchange(any, true)) table("figures", "bytes moved in, by kind of memory", "");
      line(stage.path, text(stage, 0), text(stage, 1));
    }
    if (any) end_table();
  }

  // A path may be broken behind each slash, where the page is narrow.
  void line(std::string_view name, const std::string& a, const std::string& b) {
    std::string head;
    for (const char c : escaped(name)) head += c == '/' ? std::string("/<wbr>") : std::string(1, c);
    out_ += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td></tr>", head, escaped(a), escaped(b));
  }

  void around() {
    out_ += "<h2>Also measured</h2>";
    table("figures", "", "");
    const auto maybe = [](const std::optional<Summary>& one, auto text) { return one ? text(one->median) : "-"; };
    for (const JobFindings& found : findings_.jobs) {
      const std::string name = record_.jobs[found.job] + ", " + std::string(load_text(found));
      if (found.cold)
        line(name + " (first job of a turn)", maybe(found.total.sides[0], time_text),
             maybe(found.total.sides[1], time_text));
      else
        line(name + ": resident memory at its peak", maybe(found.rss[0], bytes_text), maybe(found.rss[1], bytes_text));
      if (found.load_rate[0] && found.load_rate[1])
        line(name + ": moved by the load on the other cores", rate_text(*found.load_rate[0]),
             rate_text(*found.load_rate[1]));
      if (found.device_busy[0] || found.device_busy[1])
        line(name + ": device utilisation", busy_text(found.device_busy[0]), busy_text(found.device_busy[1]));
    }
    line("beginning a turn: the other side's pool given back to the OS", maybe(findings_.swap[0], time_text),
         maybe(findings_.swap[1], time_text));
    for (const std::string& device : record_.silent_devices)
      line("device utilisation of " + device, "not reported", "not reported");
    end_table();
    buffers();
  }

  void buffers() {
    out_ +=
        "<h2>Memory lent to jobs, by its true kind</h2><div class=\"wide\"><table class=\"figures\"><thead><tr>"
        "<th>job</th><th>side</th><th>kind</th><th>bytes</th><th class=\"text\">for</th></tr></thead><tbody>";
    for (std::size_t job = 0; job < record_.jobs.size(); ++job)
      for (const std::size_t side : {0u, 1u}) {
        if (job >= record_.sides[side].buffers.size()) continue;
        for (const BufferSeen& buffer : record_.sides[side].buffers[job])
          out_ += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>",
                              escaped(record_.jobs[job]), side == 0 ? 'A' : 'B', escaped(kind_label(buffer)),
                              human_text(Bytes(buffer.bytes)), escaped(buffer.purpose));
      }
    end_table();
    for (const std::string& note : label_notes(record_)) out_ += fmt::format("<p class=\"note\">{}</p>", escaped(note));
  }

  void machine() {
    const Steadiness& steady = findings_.steadiness;
    out_ += fmt::format(
        "<h2>Machine</h2><p>A fixed piece of work before each turn took {} at the median, scattered by "
        "{:.1f} % and drifted by {:+.1f} %.</p>{}<div class=\"wide\"><table class=\"figures\"><tbody>",
        time_text(steady.median), 100 * steady.spread, 100 * steady.drift, control_plot(record_));
    for (const Fact& fact : record_.machine)
      out_ += fmt::format("<tr><th>{}</th><td class=\"text\">{}</td></tr>", escaped(fact.name), escaped(fact.value));
    end_table();
  }

  void reading() {
    out_ += fmt::format(
        "<h2>How to read this</h2><p>Seed {}. Turns went in mirrored pairs, ABBA or BAAB as a coin fell. Each turn "
        "began with an empty pool and one job that is not judged. B against A is the Hodges-Lehmann estimate of the "
        "ratio within pairs, its interval the exact one of the signed-rank test; medians have percentile bootstrap "
        "intervals (as tool tips). A difference is called real only where its interval leaves zero out and its p "
        "value, "
        "by Holm's procedure for all comparisons made together, is at most 0.05. Device utilisation is the share of a "
        "job's time in which its devices computed.</p>",
        record_.seed);
  }

  const Record& record_;
  const Findings& findings_;
  std::string out_;
};

}  // namespace

std::string html_report(const Record& record, const Findings& findings) {
  return HtmlReport(record, findings).html();
}

}  // namespace pinion::host::ab
