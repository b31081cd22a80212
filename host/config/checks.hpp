// What single values cannot show: settings that contradict each other, addresses, empty names.
#pragma once

#include <pinion/host/config/config.hpp>
#include <vector>

namespace pinion::host {

std::vector<Problem> check_together(const Config& config);

}  // namespace pinion::host
