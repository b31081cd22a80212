// The comparison as JSON: every measurement and every finding, so that others can check the statistics or draw their
// own plots. The schema stands in docs/operations.md; "schema" names its version.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <pinion/host/ab/analysis.hpp>

namespace pinion::host::ab {

nlohmann::ordered_json json_report(const Record& record, const Findings& findings);  // [any]

}  // namespace pinion::host::ab
