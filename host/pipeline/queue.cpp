#include <pinion/host/pipeline/queue.hpp>
#include <utility>

namespace pinion::host {
namespace {

constexpr std::uint32_t first_of_all = UINT32_MAX;

}  // namespace

void TaskQueue::push(const Rank& rank, Task task, std::stop_token over) {
  {
    const std::lock_guard lock(mutex_);
    Rank place = rank;
    if (over.stop_requested()) place.priority = first_of_all;
    tasks_.emplace(place, Entry{std::move(task), std::move(over)});
  }
  filled_.notify_all();  // not everybody takes every task
}

void TaskQueue::hurry(std::uint64_t job) {
  {
    const std::lock_guard lock(mutex_);
    for (auto at = tasks_.begin(); at != tasks_.end();) {
      const auto next = std::next(at);
      if (at->first.job == job && at->first.priority != first_of_all && at->second.over.stop_requested()) {
        auto node = tasks_.extract(at);
        node.key().priority = first_of_all;
        tasks_.insert(std::move(node));
      }
      at = next;
    }
  }
  filled_.notify_all();
}

std::optional<TaskQueue::Task> TaskQueue::pop(std::stop_token stop, std::uint32_t least_priority) {
  std::unique_lock lock(mutex_);
  const auto ready = [&] { return !tasks_.empty() && tasks_.begin()->first.priority >= least_priority; };
  if (!filled_.wait(lock, stop, ready) || stop.stop_requested()) return std::nullopt;
  Task task = std::move(tasks_.begin()->second.task);
  tasks_.erase(tasks_.begin());
  return task;
}

}  // namespace pinion::host
