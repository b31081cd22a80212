// The host's threads for plugins' CPU work: one pool, one blocking parallel loop.
#pragma once

#include <cstdint>
#include <memory>

namespace pinion::host {

class Arena;

class ThreadPool {
 public:
  // `threads` in all, the caller's own among them; at least 1. [main]
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned width() const noexcept { return threads_; }

  // fn(arg, i) once for each i below count; returns when all have. Called from within fn it runs inline, so that loops
  // may nest without asking for more threads. fn must not throw. Loops of several callers share the threads. [worker]
  void run(std::uint64_t count, void (*fn)(void* arg, std::uint64_t i), void* arg);

 private:
  unsigned threads_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace pinion::host
