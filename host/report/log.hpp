// Lines for the operator, on stderr. A clean run says nothing above info. Narrow on purpose: parts take a Log&, so that
// tests can read what would have been printed; not a place for data, which goes to metrics, spans and the snapshot.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pinion::host {

enum class LogLevel : int { debug, info, warn, error, off };

std::string_view level_name(LogLevel level) noexcept;

class Log {
 public:
  virtual ~Log() = default;

  // Whether a line of this level would be written: ask before making an expensive one. [any]
  virtual bool enabled(LogLevel level) const noexcept = 0;

  // One line, without its end. Line ends inside become "\n". [any]
  virtual void write(LogLevel level, std::string_view line) noexcept = 0;

  template <class... Args>
  void debug(fmt::format_string<Args...> form, Args&&... args) {
    if (enabled(LogLevel::debug)) write(LogLevel::debug, fmt::format(form, std::forward<Args>(args)...));
  }
  template <class... Args>
  void info(fmt::format_string<Args...> form, Args&&... args) {
    if (enabled(LogLevel::info)) write(LogLevel::info, fmt::format(form, std::forward<Args>(args)...));
  }
  template <class... Args>
  void warn(fmt::format_string<Args...> form, Args&&... args) {
    if (enabled(LogLevel::warn)) write(LogLevel::warn, fmt::format(form, std::forward<Args>(args)...));
  }
  template <class... Args>
  void error(fmt::format_string<Args...> form, Args&&... args) {
    if (enabled(LogLevel::error)) write(LogLevel::error, fmt::format(form, std::forward<Args>(args)...));
  }
};

// Time, level and line on stderr; coloured on a terminal. Several may exist. [any]
std::unique_ptr<Log> make_stderr_log(LogLevel least);

// Keeps its lines: for tests, and for commands that print them at the end.
class MemoryLog final : public Log {
 public:
  struct Line {
    LogLevel level;
    std::string text;
  };
  bool enabled(LogLevel) const noexcept override { return true; }
  void write(LogLevel level, std::string_view line) noexcept override;
  std::vector<Line> lines() const;
  std::size_t count(LogLevel level) const;

 private:
  mutable std::mutex mutex_;
  std::vector<Line> lines_;
};

}  // namespace pinion::host
