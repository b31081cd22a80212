// The host's log while a verb runs: what matters to the person in front, between the console's own lines. The daemon
// has a log with times instead (host/report).
#pragma once

#include <pinion/host/cli/console.hpp>
#include <pinion/host/report/log.hpp>

namespace pinion::host::cli {

class ConsoleLog final : public Log {
 public:
  // The console outlives it.
  ConsoleLog(Console& console, LogLevel least) : console_(console), least_(least) {}

  bool enabled(LogLevel level) const noexcept override { return level >= least_; }
  void write(LogLevel level, std::string_view line) noexcept override;

 private:
  Console& console_;
  const LogLevel least_;
};

}  // namespace pinion::host::cli
