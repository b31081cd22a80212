// Time as a parameter: the real clock, and one that tests move by hand. Only durations since an arbitrary start; the
// date of a log line is the log's own business.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace pinion::host {

using TimePoint = std::chrono::steady_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;

  // Never goes back. [any]
  virtual TimePoint now() const noexcept = 0;

  // Waits on `cv` until it is notified or `deadline` is reached; may also wake without a reason, so the caller checks
  // its condition in a loop. `lock` is held before and after. [any]
  virtual void wait_until(std::condition_variable& cv, std::unique_lock<std::mutex>& lock,
                          TimePoint deadline) const = 0;
};

class SteadyClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return std::chrono::steady_clock::now(); }
  void wait_until(std::condition_variable& cv, std::unique_lock<std::mutex>& lock, TimePoint deadline) const override {
    cv.wait_until(lock, deadline);
  }
};

// Stands still until advance(). For tests: its waiters look at it every millisecond.
class ManualClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return TimePoint(std::chrono::nanoseconds(now_ns_.load())); }
  void wait_until(std::condition_variable& cv, std::unique_lock<std::mutex>& lock, TimePoint) const override {
    cv.wait_for(lock, std::chrono::milliseconds(1));
  }
  void advance(std::chrono::nanoseconds step) noexcept { now_ns_ += step.count(); }

 private:
  std::atomic<std::int64_t> now_ns_{1'000'000'000};
};

}  // namespace pinion::host
