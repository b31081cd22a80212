// The plots of the HTML report as inline SVG. Colours come from the page's style sheet (classes a, b, zero, axis,
// real).
#pragma once

#include <pinion/host/ab/analysis.hpp>

namespace pinion::host::ab {

// One shift on a scale that reaches from -reach to +reach (shares): its interval as a line, its estimate as a dot. What
// lies beyond is cut, and an arrow says so.
std::string interval_plot(const Comparison& one, double reach);

// The reach that shows the first of these comparisons, and three quarters of all, whole: one wild stage does not
// flatten the others. At least one percent, at most twice as long.
double reach_of(const std::vector<const Comparison*>& comparisons);

// Both sides' values pair by pair, joined, with their medians.
std::string pairs_plot(const Comparison& total);

// The control before each turn, in the order of the run, by side.
std::string control_plot(const Record& record);

}  // namespace pinion::host::ab
