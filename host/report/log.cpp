#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <pinion/host/report/log.hpp>

namespace pinion::host {
namespace {

spdlog::level::level_enum spd_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warn:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      break;
  }
  return spdlog::level::off;
}

// A log line is one line: text from a plugin or a client must not forge a second one.
std::string one_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if ((code < 0x20 && c != '\t') || code == 0x7f) {
      out += fmt::format("\\x{:02x}", code);
    } else {
      out += c;
    }
  }
  return out;
}

class StderrLog final : public Log {
 public:
  explicit StderrLog(LogLevel least) : logger_("pinion", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()) {
    logger_.set_level(spd_level(least));
    logger_.set_pattern("%Y-%m-%d %H:%M:%S.%e %^%-7l%$ %v");
    logger_.flush_on(spdlog::level::debug);
  }

  bool enabled(LogLevel level) const noexcept override {
    return level != LogLevel::off && logger_.should_log(spd_level(level));
  }

  void write(LogLevel level, std::string_view line) noexcept override {
    try {
      logger_.log(spd_level(level), "{}", one_line(line));
    } catch (...) {  // out of memory for a log line: losing it is the lesser evil
    }
  }

 private:
  spdlog::logger logger_;
};

}  // namespace

std::string_view level_name(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warn:
      return "warn";
    case LogLevel::error:
      return "error";
    case LogLevel::off:
      break;
  }
  return "off";
}

std::unique_ptr<Log> make_stderr_log(LogLevel least) {
  return std::make_unique<StderrLog>(least);
}

void MemoryLog::write(LogLevel level, std::string_view line) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    lines_.push_back({level, one_line(line)});
  } catch (...) {  // as above
  }
}

std::vector<MemoryLog::Line> MemoryLog::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

std::size_t MemoryLog::count(LogLevel level) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.level == level; }));
}

}  // namespace pinion::host
