// The report of a comparison for a terminal: at most 80 columns, no colours.
#pragma once

#include <pinion/host/ab/analysis.hpp>

namespace pinion::host::ab {

std::string text_report(const Record& record, const Findings& findings);  // [any]

}  // namespace pinion::host::ab
