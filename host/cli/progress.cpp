#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/cli/progress.hpp>

namespace pinion::host::cli {
namespace {

constexpr auto before_first_line = std::chrono::seconds(1);
constexpr auto between_lines = std::chrono::milliseconds(150);

}  // namespace

std::string progress_line(std::string_view label, std::uint64_t done, std::uint64_t total, std::chrono::seconds elapsed,
                          unsigned width) {
  const auto seconds = elapsed.count();
  const auto time =
      seconds < 100 ? fmt::format("{} s", seconds) : fmt::format("{} min {} s", seconds / 60, seconds % 60);
  if (total == 0) return fmt::format("{}  {}", label, time).substr(0, width);
  constexpr std::size_t bar = 24;
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar));
  return fmt::format("{}  [{}{}]  {:3.0f} %  {}", label, std::string(filled, '#'), std::string(bar - filled, '-'),
                     100 * share, time)
      .substr(0, width);
}

Progress::Progress(Console& console) : console_(console) {
  if (console_.terminal().err) {
    drawer_ = std::jthread([this](const std::stop_token& stop) { draw_until_stopped(stop); });
  }
}

Progress::~Progress() = default;  // ~jthread asks the drawer to stop and waits for it

void Progress::show(std::string label, std::uint64_t done, std::uint64_t total) {
  const std::lock_guard lock(mutex_);
  label_ = std::move(label);
  done_ = done;
  total_ = total;
}

void Progress::draw_until_stopped(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, stop, before_first_line, [] { return false; });
  while (!stop.stop_requested()) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begun_);
    console_.draw(progress_line(label_, done_, total_, elapsed, console_.terminal().width - 1));
    wake_.wait_for(lock, stop, between_lines, [] { return false; });
  }
  console_.draw("");
}

}  // namespace pinion::host::cli
