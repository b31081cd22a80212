#include <algorithm>
#include <atomic>
#include <pinion/host/bridge/arena.hpp>
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

// One loop. Its two counters order what the caller wrote before every iteration, and every iteration before what the
// caller reads, whatever the arena does inside.
struct Loop {
  void (*fn)(void*, std::uint64_t);
  void* arg;
  std::atomic<std::uint64_t> begun{0}, ended{0};

  void run(std::uint64_t begin, std::uint64_t end) {
    begun.load(std::memory_order_acquire);
    {
      const InsideLoop mark;
      for (std::uint64_t i = begin; i != end; ++i) fn(arg, i);
    }
    ended.fetch_add(end - begin, std::memory_order_acq_rel);
  }
};

}  // namespace

ThreadPool::ThreadPool(unsigned threads) : threads_(std::max(1u, threads)), arena_(std::make_unique<Arena>(threads_)) {}

ThreadPool::~ThreadPool() = default;

void ThreadPool::run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) {
  Loop loop{fn, arg};
  if (inside_loop || count <= 1 || threads_ == 1) return loop.run(0, count);
  loop.begun.store(1, std::memory_order_release);
  arena_->run(
      count, [](void* self, std::uint64_t begin, std::uint64_t end) { static_cast<Loop*>(self)->run(begin, end); },
      &loop);
  loop.ended.load(std::memory_order_acquire);
}

}  // namespace pinion::host
