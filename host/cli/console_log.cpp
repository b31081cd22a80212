#include <pinion/host/cli/console_log.hpp>

namespace pinion::host::cli {

void ConsoleLog::write(LogLevel level, std::string_view line) noexcept {
  if (!enabled(level)) return;
  try {
    if (level == LogLevel::warn) {
      console_.warn(line);
    } else {
      console_.note(std::string(level_name(level)) + ": " + std::string(line));
    }
  } catch (...) {
    // A line that cannot be written (no memory, no terminal) must not end the work it tells of.
  }
}

}  // namespace pinion::host::cli
