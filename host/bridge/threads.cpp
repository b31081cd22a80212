#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <pinion/host/bridge/arena.hpp>
#include <pinion/host/bridge/threads.hpp>
#include <thread>
#include <vector>

namespace pinion::host {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

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

// One loop. Its two counters order what the caller wrote before every iteration, and every iteration before what the
// caller reads, whatever the arena does inside.
struct ThreadPool::Loop {
  void (*fn)(void*, std::uint64_t);
  void* arg;
  UrgentLoops& urgent;
  const std::thread::id caller = std::this_thread::get_id();
  SteadyTime caller_done = std::chrono::steady_clock::now();  // with its latest iterations
  std::atomic<std::uint64_t> begun{0}, ended{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure{};  // the first, once `failed`

  // What it lets out, though it must not, is kept for its own caller: threads at work for others take part too.
  void iterate(std::uint64_t i) noexcept {
    if (failed.load(std::memory_order_relaxed)) return;
    const InsideLoop mark;
    try {
      fn(arg, i);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }
  // Iterations [begin, end), giving way to urgent loops between them.
  void run(std::uint64_t begin, std::uint64_t end);
  void note_done() {
    if (std::this_thread::get_id() == caller) caller_done = std::chrono::steady_clock::now();
  }
};

// A loop whose iterations are taken one by one, by whoever comes.
struct ThreadPool::UrgentLoop {
  Loop loop;
  const std::uint64_t count;
  std::atomic<std::uint64_t> next{0};
  unsigned helpers = 0;  // threads of ordinary loops at work on it; under the mutex of UrgentLoops

  bool exhausted() const noexcept { return next.load(std::memory_order_relaxed) >= count; }
  void take_all() {
    loop.begun.load(std::memory_order_acquire);
    for (std::uint64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) loop.iterate(i);
    loop.note_done();
    loop.ended.fetch_add(1, std::memory_order_acq_rel);
  }
};

// The urgent loops that run now.
class ThreadPool::UrgentLoops {
 public:
  void add(UrgentLoop& loop) {
    const std::lock_guard lock(mutex_);
    loops_.push_back(&loop);
    open_.store(loops_.size(), std::memory_order_relaxed);
  }

  // Returns when no helper is at work on it any more.
  void remove(UrgentLoop& loop) {
    std::unique_lock lock(mutex_);
    std::erase(loops_, &loop);
    open_.store(loops_.size(), std::memory_order_relaxed);
    helped_.wait(lock, [&] { return loop.helpers == 0; });
  }

  // Works on urgent loops as long as there is something to do for them. Costs one load when there are none.
  void help() {
    if (open_.load(std::memory_order_relaxed) == 0) return;
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto at = std::find_if(loops_.begin(), loops_.end(), [](const auto* loop) { return !loop->exhausted(); });
      if (at == loops_.end()) return;
      UrgentLoop& loop = **at;
      ++loop.helpers;
      lock.unlock();
      loop.take_all();
      lock.lock();
      if (--loop.helpers == 0) helped_.notify_all();
    }
  }

 private:
  std::atomic<std::size_t> open_{0};
  std::mutex mutex_;
  std::condition_variable helped_;
  std::vector<UrgentLoop*> loops_;
};

void ThreadPool::Loop::run(std::uint64_t begin, std::uint64_t end) {
  begun.load(std::memory_order_acquire);
  for (std::uint64_t i = begin; i != end; ++i) {
    urgent.help();
    iterate(i);
  }
  note_done();
  ended.fetch_add(end - begin, std::memory_order_acq_rel);
}

ThreadPool::ThreadPool(unsigned threads)
    : threads_(std::max(1u, threads)),
      urgent_(std::make_unique<UrgentLoops>()),
      arena_(std::make_unique<Arena>(threads_, Arena::Rank::normal)),
      urgent_arena_(std::make_unique<Arena>(threads_, Arena::Rank::first)) {}

ThreadPool::~ThreadPool() = default;

void ThreadPool::run_ordinary(Loop& loop, std::uint64_t count) {
  if (count <= 1 || threads_ == 1) return loop.run(0, count);
  loop.begun.store(1, std::memory_order_release);
  arena_->run(
      count, [](void* self, std::uint64_t begin, std::uint64_t end) { static_cast<Loop*>(self)->run(begin, end); },
      &loop);
}

void ThreadPool::run_urgent(UrgentLoop& urgent) {
  urgent.loop.begun.store(1, std::memory_order_release);
  urgent_->add(urgent);
  // One invitation for each thread; who comes late finds nothing left.
  urgent_arena_->run(
      std::min<std::uint64_t>(urgent.count, threads_),
      [](void* self, std::uint64_t, std::uint64_t) { static_cast<UrgentLoop*>(self)->take_all(); }, &urgent);
  urgent_->remove(urgent);
}

std::chrono::nanoseconds ThreadPool::run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg,
                                         Class loop_class) {
  if (inside_loop) {
    for (std::uint64_t i = 0; i != count; ++i) fn(arg, i);
    return {};
  }
  const auto waited = [](const Loop& loop) {
    loop.ended.load(std::memory_order_acquire);
    if (loop.failure) std::rethrow_exception(loop.failure);
    return std::chrono::steady_clock::now() - loop.caller_done;
  };
  if (loop_class == Class::ordinary) {
    Loop loop{fn, arg, *urgent_};
    run_ordinary(loop, count);
    return waited(loop);
  }
  UrgentLoop urgent{{fn, arg, *urgent_}, count};
  run_urgent(urgent);
  return waited(urgent.loop);
}

}  // namespace pinion::host
