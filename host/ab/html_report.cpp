#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/ab/html_report.hpp>
#include <pinion/host/ab/html_style.hpp>
#include <pinion/host/ab/plots.hpp>
#include <pinion/host/ab/words.hpp>
#include <pinion/host/base/units.hpp>

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
      out_ += fmt::format("<section><h2><span class=\"key {}\"></span>{}: {}</h2><p>allocator {}</p>",
                          side == 0 ? "a" : "b", side == 0 ? 'A' : 'B', escaped(facts.file), escaped(facts.allocator));
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
    out_ +=
        fmt::format("<tr><th style=\"padding-left:{}em\">{}</th>{}{}<td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                    0.3 + 0.9 * static_cast<double>(depth), escaped(name), cell(0), cell(1), interval_plot(one, reach),
                    one.share ? share_text(*one.share) : "", one.interval ? interval_text(*one.interval) : "",
                    real ? (one.verdict == Verdict::b_faster ? "faster" : "slower") : "");
  }

  void job(const JobFindings& found) {
    out_ += fmt::format("<h2>{}, {}</h2><p class=\"conclusion\">{}</p>", escaped(record_.jobs[found.job]),
                        load_text(found), escaped(conclusion(found)));
    auto compared = main_stages(found);
    compared.insert(compared.begin(), &found.total);
    const double reach = reach_of(compared);
    out_ +=
        "<div class=\"wide\"><table><thead><tr><th></th><th>A</th><th>B</th><th>B to A</th><th></th><th>95 %, in %</th>"
        "<th></th></tr></thead><tbody>";
    for (const Comparison* one : compared) {
      const auto last = one->path.find_last_of('/');
      const auto depth = one == &found.total ? 0 : 1 + std::count(one->path.begin(), one->path.end(), '/');
      row(*one, reach, last == std::string::npos ? one->path : one->path.substr(last + 1),
          static_cast<std::size_t>(depth));
    }
    out_ += fmt::format(
        "</tbody></table></div><p class=\"note\">The plot reaches from {} to {}; its middle is no "
        "difference. Stages are summed over partitions, which overlap.</p>",
        share_text(-reach), share_text(reach));
    out_ += "<div class=\"wide\">" + pairs_plot(found.total) + "</div>";
    rates(found);
  }

  void rates(const JobFindings& found) {
    std::string rows;
    for (const Comparison& stage : found.stages) {
      if (!stage_rate(stage, 0) && !stage_rate(stage, 1)) continue;
      rows += fmt::format("<tr><th>{}</th>", escaped(stage.path));
      for (const std::size_t side : {0u, 1u}) {
        const auto rate = stage_rate(stage, side);
        rows += fmt::format("<td>{}</td>", rate ? rate_text(*rate) : "-");
      }
      rows += "</tr>";
    }
    if (!rows.empty())
      out_ += fmt::format(
          "<div class=\"wide\"><table><thead><tr><th>Moved by</th><th>A</th><th>B</th></tr></thead>"
          "<tbody>{}</tbody></table></div>",
          rows);
  }

  void line(std::string_view name, const std::string& a, const std::string& b) {
    out_ += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td></tr>", escaped(name), escaped(a), escaped(b));
  }

  void around() {
    out_ += "<h2>Besides</h2><div class=\"wide\"><table><thead><tr><th></th><th>A</th><th>B</th></tr></thead><tbody>";
    const auto maybe = [](const std::optional<Summary>& one, auto text) { return one ? text(one->median) : "-"; };
    for (const JobFindings& found : findings_.jobs) {
      const std::string name = record_.jobs[found.job] + ", " + std::string(load_text(found));
      if (found.cold)
        line(name, maybe(found.total.sides[0], time_text), maybe(found.total.sides[1], time_text));
      else
        line(name + ": resident memory at its peak", maybe(found.rss[0], bytes_text), maybe(found.rss[1], bytes_text));
      if (found.load_rate[0] && found.load_rate[1])
        line(name + ": the load moved", rate_text(*found.load_rate[0]), rate_text(*found.load_rate[1]));
      if (found.device_busy[0] && found.device_busy[1])
        line(name + ": device busy", fmt::format("{:.0f} %", 100 * *found.device_busy[0]),
             fmt::format("{:.0f} %", 100 * *found.device_busy[1]));
    }
    line("taking the turn, the other pool back to the OS", maybe(findings_.swap[0], time_text),
         maybe(findings_.swap[1], time_text));
    for (const std::string& backend : record_.silent_devices)
      line("device utilisation", backend + " does not report it", backend + " does not report it");
    out_ += "</tbody></table></div>";
    buffers();
  }

  void buffers() {
    out_ +=
        "<h2>Memory lent, by its true kind</h2><div class=\"wide\"><table><thead><tr><th>Job</th><th>Side</th>"
        "<th>Kind</th><th>Bytes</th><th>For</th></tr></thead><tbody>";
    for (std::size_t job = 0; job < record_.jobs.size(); ++job)
      for (const std::size_t side : {0u, 1u}) {
        if (job >= record_.sides[side].buffers.size()) continue;
        for (const BufferSeen& buffer : record_.sides[side].buffers[job])
          out_ += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>",
                              escaped(record_.jobs[job]), side == 0 ? 'A' : 'B', escaped(buffer.kind),
                              human_text(Bytes(buffer.bytes)), escaped(buffer.purpose));
      }
    out_ += "</tbody></table></div>";
  }

  void machine() {
    const Steadiness& steady = findings_.steadiness;
    out_ += fmt::format(
        "<h2>Machine</h2><p>A fixed piece of work before each turn took {} at the median, scattered by "
        "{:.1f} % and drifted by {:+.1f} %.</p><div class=\"wide\">{}</div><div class=\"wide\"><table><tbody>",
        time_text(steady.median), 100 * steady.spread, 100 * steady.drift, control_plot(record_));
    for (const Fact& fact : record_.machine)
      out_ += fmt::format("<tr><th>{}</th><td class=\"text\">{}</td></tr>", escaped(fact.name), escaped(fact.value));
    out_ += "</tbody></table></div>";
  }

  void reading() {
    out_ += fmt::format(
        "<h2>How to read this</h2><p>Seed {}. Turns went in mirrored pairs, ABBA or BAAB as a coin fell. Each turn "
        "began "
        "with an empty pool and one job that is not judged. Shifts are Hodges-Lehmann estimates of the ratio within "
        "pairs, "
        "their intervals the exact ones of the signed-rank test; medians have percentile bootstrap intervals (as tool "
        "tips). A difference is called real only where its interval leaves zero out and its p value, by Holm's "
        "procedure "
        "for all comparisons made together, is at most 0.05.</p>",
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
