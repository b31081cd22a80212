// Work for every core while a job is measured, as a prover's other jobs would make it: each thread reads scattered
// witness values, multiplies as field arithmetic does and writes evaluations in a stream, so that cores, caches and
// memory channels are all wanted. Faults of memory show under such load and hardly without.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace pinion::host::ab {

class LoadGenerator {
 public:
  static constexpr std::uint64_t bytes_per_thread = std::uint64_t{32} << 20;  // beyond any core's share of the caches

  // Threads that sleep until they are wanted. The caller has charged threads * bytes_per_thread. [main]
  explicit LoadGenerator(unsigned threads);
  ~LoadGenerator();
  LoadGenerator(const LoadGenerator&) = delete;
  LoadGenerator& operator=(const LoadGenerator&) = delete;

  // Begins; returns when every thread works. Ends; returns when every thread rests. [main]
  void run(bool busy);
  // Bytes read and written per second since run(true). [main]
  double rate() const;

 private:
  void work(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::atomic<bool> busy_{false};
  unsigned working_ = 0;
  std::atomic<std::uint64_t> bytes_{0};
  std::chrono::steady_clock::time_point since_;
  std::vector<std::jthread> threads_;
};

}  // namespace pinion::host::ab
