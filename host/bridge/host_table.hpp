// The pinion_host each plugin lives with: a log under its own name.
#pragma once

#include <pinion/host/plugins/registry.hpp>
#include <pinion/host/report/log.hpp>

namespace pinion::host {

class HostTables final : public HostTableMaker {
 public:
  // `log` outlives every table.
  explicit HostTables(Log& log) : log_(log) {}
  std::shared_ptr<const pinion_host> host_table(const std::string& plugin_id) override;

 private:
  Log& log_;
};

}  // namespace pinion::host
