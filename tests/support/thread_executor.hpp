// An Executor on threads of its own, for tests and benchmarks: so many for each loop, joined at its end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <pinion/executor.hpp>
#include <thread>
#include <vector>

namespace pinion::test {

class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(unsigned width = std::max(2U, std::thread::hardware_concurrency())) : width_(width) {}
  unsigned width() const noexcept override { return width_; }
  void run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) override {
    std::atomic<std::uint64_t> next{0};
    const auto work = [&] {
      for (std::uint64_t i = next++; i < count; i = next++) fn(arg, i);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < width_ && i < count; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
  }
  bool cancelled() const noexcept override { return cancelled_.load(std::memory_order_relaxed); }
  void cancel() noexcept { cancelled_ = true; }

 private:
  unsigned width_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace pinion::test
