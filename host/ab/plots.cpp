#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <pinion/host/ab/plots.hpp>
#include <pinion/host/ab/words.hpp>

namespace pinion::host::ab {
namespace {

// A plot of values over a running number, with an axis of three ticks that begins at zero only if that wastes little.
class Chart {
 public:
  Chart(std::size_t columns, const std::vector<double>& values) : columns_(std::max<std::size_t>(columns, 1)) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double room = std::max((*high - *low) * 0.12, *high * 0.005);
    low_ = *low < *high / 3 ? 0 : *low - room;
    high_ = *high + room;
    out_ = fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\">", width, height);
    for (int tick = 0; tick <= 2; ++tick) {
      const double value = low_ + (high_ - low_) * tick / 2;
      out_ += fmt::format("<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", left, width,
                          y(value), y(value));
      out_ += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left - 6, y(value) + 4,
                          value == 0 ? "0" : time_text(value));
    }
  }

  double x(double column) const { return left + (column + 0.5) * (width - left) / static_cast<double>(columns_); }
  double y(double value) const { return top + (high_ - value) / (high_ - low_) * (height - top - bottom); }

  void dot(double column, double value, std::size_t side, const std::string& title) {
    const char* shape = side == 0
                            ? "<circle class=\"a\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4\"><title>{2}</title></circle>"
                            : "<path class=\"b\" d=\"M{0:.1f} {1:.1f}m0 -5l5 5l-5 5l-5 -5z\"><title>{2}</title></path>";
    out_ += fmt::format(fmt::runtime(shape), x(column), y(value), title);
  }
  void link(double column, double a, double b) {
    out_ += fmt::format("<line class=\"pair\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>", x(column),
                        y(a), y(b));
  }
  void level(double value, std::size_t side) {
    out_ += fmt::format("<line class=\"level {}\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                        side == 0 ? "a" : "b", left, width, y(value), y(value));
  }
  void below(std::string_view text) {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", left, height - 4, text);
  }
  std::string finish() { return std::move(out_) + "</svg>"; }

 private:
  static constexpr int width = 680, height = 200, left = 82, top = 10, bottom = 24;
  const std::size_t columns_;
  double low_ = 0, high_ = 1;
  std::string out_;
};

}  // namespace

double reach_of(const std::vector<const Comparison*>& comparisons) {
  std::vector<double> reaches;
  for (const Comparison* one : comparisons) {
    double reach = one->share ? std::abs(*one->share) : 0;
    if (one->interval) reach = std::max({reach, std::abs(one->interval->low), std::abs(one->interval->high)});
    reaches.push_back(reach);
  }
  if (reaches.empty()) return 0.01;
  const double first = reaches.front();
  const auto most = reaches.begin() + static_cast<std::ptrdiff_t>((reaches.size() - 1) * 3 / 4);
  std::nth_element(reaches.begin(), most, reaches.end());
  return std::clamp(std::max(first, *most) * 1.05, 0.01, 1.0);
}

std::string interval_plot(const Comparison& one, double reach) {
  constexpr int width = 240, height = 18;
  const auto x = [&](double share) { return width / 2.0 * (1 + std::clamp(share / reach, -1.0, 1.0)); };
  const bool real = is_real(one.verdict);
  std::string out = fmt::format(
      "<svg class=\"interval{}\" viewBox=\"0 0 {} {}\"><line class=\"zero\" x1=\"{}\" "
      "x2=\"{}\" y1=\"0\" y2=\"{}\"/>",
      real ? " real" : "", width, height, width / 2, width / 2, height);
  if (one.interval) {
    out += fmt::format("<line class=\"span\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"9\" y2=\"9\"/>", x(one.interval->low),
                       x(one.interval->high));
    if (one.interval->low < -reach) out += "<path class=\"beyond\" d=\"M7 4L1 9L7 14\"/>";
    if (one.interval->high > reach) out += fmt::format("<path class=\"beyond\" d=\"M{0} 4l6 5l-6 5\"/>", width - 7);
  }
  if (one.share && std::abs(*one.share) <= reach)
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"9\" r=\"4\"/>", x(*one.share));
  return out + "</svg>";
}

std::string pairs_plot(const Comparison& total) {
  if (!total.sides[0] || !total.sides[1] || total.sides[0]->values.size() != total.sides[1]->values.size()) return "";
  const auto& a = total.sides[0]->values;
  const auto& b = total.sides[1]->values;
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  Chart chart(a.size(), all);
  chart.level(total.sides[0]->median, 0);
  chart.level(total.sides[1]->median, 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto column = static_cast<double>(i);
    chart.link(column, a[i], b[i]);
    chart.dot(column, a[i], 0, fmt::format("pair {}, A: {}", i + 1, time_text(a[i])));
    chart.dot(column, b[i], 1, fmt::format("pair {}, B: {}", i + 1, time_text(b[i])));
  }
  chart.below("pairs in the order of the run; dashed: medians");
  return chart.finish();
}

std::string control_plot(const Record& record) {
  std::vector<double> values;
  for (const TurnRecord& turn : record.turns)
    if (turn.control > 0) values.push_back(turn.control);
  if (values.empty()) return "";
  Chart chart(record.turns.size(), values);
  for (std::size_t i = 0; i < record.turns.size(); ++i) {
    const TurnRecord& turn = record.turns[i];
    if (turn.control > 0)
      chart.dot(static_cast<double>(i), turn.control, index(turn.turn.side),
                fmt::format("turn {}: {}", i + 1, time_text(turn.control)));
  }
  chart.below("turns in the order of the run");
  return chart.finish();
}

}  // namespace pinion::host::ab
