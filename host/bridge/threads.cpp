#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <pinion/host/bridge/threads.hpp>

namespace pinion::host {
namespace {

// Set while this thread runs an iteration: a loop begun within it stays on it.
thread_local bool inside_loop = false;

class InsideLoop {
 public:
  InsideLoop() : before_(inside_loop) { inside_loop = true; }
  ~InsideLoop() { inside_loop = before_; }
  InsideLoop(const InsideLoop&) = delete;
  InsideLoop& operator=(const InsideLoop&) = delete;

 private:
  bool before_;
};

}  // namespace

struct ThreadPool::Arena {
  // The library makes as many threads as the machine has CPUs unless it is told that more are wanted.
  tbb::global_control limit;
  tbb::task_arena arena;
  explicit Arena(unsigned threads)
      : limit(tbb::global_control::max_allowed_parallelism, std::max(2u, threads)), arena(static_cast<int>(threads)) {}
};

ThreadPool::ThreadPool(unsigned threads) : threads_(std::max(1u, threads)), arena_(std::make_unique<Arena>(threads_)) {}

ThreadPool::~ThreadPool() = default;

void ThreadPool::run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) {
  if (inside_loop || count <= 1 || threads_ == 1) {
    const InsideLoop mark;
    for (std::uint64_t i = 0; i < count; ++i) fn(arg, i);
    return;
  }
  // Orders what the caller wrote before every iteration, and every iteration before what the caller reads, in terms
  // that do not depend on the library's internals.
  std::atomic<std::uint64_t> begun{0}, ended{0};
  begun.store(1, std::memory_order_release);
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::uint64_t>(0, count, 1),
        [&](const tbb::blocked_range<std::uint64_t>& range) {
          begun.load(std::memory_order_acquire);
          const InsideLoop mark;
          for (std::uint64_t i = range.begin(); i != range.end(); ++i) fn(arg, i);
          ended.fetch_add(1, std::memory_order_acq_rel);
        },
        tbb::auto_partitioner());
  });
  ended.load(std::memory_order_acquire);
}

}  // namespace pinion::host
