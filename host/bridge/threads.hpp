// The host's threads for plugins' CPU work: one pool, one blocking parallel loop, two classes of loops. An urgent loop
// gets its own arena, which free threads prefer, and every thread at work on an ordinary loop turns to it between two
// iterations: it waits for one iteration at most, however saturated the pool is.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

namespace pinion::host {

class Arena;

class ThreadPool {
 public:
  enum class Class { ordinary, urgent };

  // `threads` in all, the caller's own among them; at least 1. [main]
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned width() const noexcept { return threads_; }

  // fn(arg, i) once for each i below count; returns when all have, and how long the caller had nothing left to do but
  // to wait for the others. Called from within fn it runs inline, so that loops may nest without asking for more
  // threads. fn must not throw; what it throws all the same comes out of run, and the rest of its loop may be left
  // out. Loops of several callers share the threads. [worker]
  std::chrono::nanoseconds run(std::uint64_t count, void (*fn)(void* arg, std::uint64_t i), void* arg,
                               Class loop_class = Class::ordinary);

 private:
  class UrgentLoops;
  struct Loop;
  struct UrgentLoop;

  void run_ordinary(Loop& loop, std::uint64_t count);
  void run_urgent(UrgentLoop& loop);

  unsigned threads_;
  std::unique_ptr<UrgentLoops> urgent_;
  std::unique_ptr<Arena> arena_, urgent_arena_;
};

}  // namespace pinion::host
