// A line on the terminal while something takes longer than a second: what runs, how far it is, for how long. Silent
// when standard error is no terminal, and for what ends sooner.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <pinion/host/cli/console.hpp>
#include <string>
#include <thread>

namespace pinion::host::cli {

// "label  [########------------]  40 %  12 s", at most `width` columns; without a known total (0) no bar and no share.
// [any]
std::string progress_line(std::string_view label, std::uint64_t done, std::uint64_t total, std::chrono::seconds elapsed,
                          unsigned width);

class Progress {
 public:
  // The console outlives it. [main]
  explicit Progress(Console& console);
  ~Progress();  // takes the line off the terminal
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // What runs now and how far it is, in any unit; total 0: not known. [any]
  void show(std::string label, std::uint64_t done, std::uint64_t total);

 private:
  void draw_until_stopped(const std::stop_token& stop);

  Console& console_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string label_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  std::jthread drawer_;  // last: it uses what stands above
};

}  // namespace pinion::host::cli
