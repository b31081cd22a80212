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

  // `over`: requested when the task has nothing left to do. [any]
  void push(const Rank& rank, Task task, std::stop_token over = {});
  // The tasks of a job that are over go before all others, and to any worker, whoever came first: they hold what
  // others wait for. Those pushed later need no such call. [any]
  void hurry(std::uint64_t job);
  // The first task by rank, waiting for one of at least this priority; nothing once `stop` is requested. [worker]
  std::optional<Task> pop(std::stop_token stop, std::uint32_t least_priority = 0);

 private:
  struct Entry {
    Task task;
    std::stop_token over;
  };
  std::mutex mutex_;
  std::condition_variable_any filled_;
  std::multimap<Rank, Entry> tasks_;
};

}  // namespace pinion::host
