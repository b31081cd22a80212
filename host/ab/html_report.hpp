// The comparison as one HTML file: figures, plots as inline SVG, light and dark as the reader's system has it. No
// scripts, no fonts, nothing from elsewhere.
#pragma once

#include <pinion/host/ab/analysis.hpp>

namespace pinion::host::ab {

std::string html_report(const Record& record, const Findings& findings);  // [any]

}  // namespace pinion::host::ab
