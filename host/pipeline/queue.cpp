#include <pinion/host/pipeline/queue.hpp>

namespace pinion::host {

void TaskQueue::push(const Rank& rank, Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.emplace(rank, std::move(task));
  }
  filled_.notify_one();
}

std::optional<TaskQueue::Task> TaskQueue::pop(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, stop, [&] { return !tasks_.empty(); });
  if (stop.stop_requested() || tasks_.empty()) return std::nullopt;
  Task task = std::move(tasks_.begin()->second);
  tasks_.erase(tasks_.begin());
  return task;
}

}  // namespace pinion::host
