// The pinion_host each plugin lives with: a log under its own name, and the width of the host's threads.
#pragma once

#include <pinion/host/plugins/registry.hpp>
#include <pinion/host/report/log.hpp>

namespace pinion::host {

class HostTables final : public HostTableMaker {
 public:
  // `log` outlives every table. width: of every call; 0: no call will be made, the service is not offered.
  explicit HostTables(Log& log, unsigned width = 0) : log_(log), width_(width) {}
  std::shared_ptr<const pinion_host> host_table(const std::string& plugin_id) override;

 private:
  Log& log_;
  const unsigned width_;
};

}  // namespace pinion::host
