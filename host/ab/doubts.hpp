// What an honest reader would hold against a comparison, found by the program before he does.
#pragma once

#include <pinion/host/ab/analysis.hpp>

namespace pinion::host::ab {

// One sentence each: what was seen, and what to do. [any]
std::vector<std::string> doubts(const Record& record, const Findings& findings);

}  // namespace pinion::host::ab
