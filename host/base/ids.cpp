#include <fmt/format.h>

#include <pinion/host/base/ids.hpp>

namespace pinion::host {

std::string Owner::text() const {
  std::string out;
  const auto add = [&out](std::string part) { out += out.empty() ? std::move(part) : ", " + part; };
  if (!job.empty()) add("job " + job);
  if (partition) add(fmt::format("partition {}", *partition));
  if (!plugin.empty()) add("plugin " + plugin);
  return out.empty() ? "host" : out;
}

}  // namespace pinion::host
