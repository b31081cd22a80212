// What waits for a worker, by rank.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <pinion/host/pipeline/rank.hpp>
#include <stop_token>

namespace pinion::host {

class TaskQueue {
 public:
  using Task = std::function<void()>;

  // [any]
  void push(const Rank& rank, Task task);
  // The tasks of a job go before all others, and to any worker: it ends, and they have nothing left to do. [any]
  void hurry(std::uint64_t job);
  // The first task by rank, waiting for one of at least this priority; nothing once `stop` is requested. [worker]
  std::optional<Task> pop(std::stop_token stop, std::uint32_t least_priority = 0);

 private:
  std::mutex mutex_;
  std::condition_variable_any filled_;
  std::multimap<Rank, Task> tasks_;
};

}  // namespace pinion::host
