// Where CPU work runs: the one door through which mathematics reaches threads, cancellation, progress and timing.
// Inside a plugin it stands on the host's pinion_call; tests and tools bring their own. Not a scheduler: no futures,
// no task graph; one blocking parallel loop is all the provers need.
#pragma once

#include <cstdint>
#include <exception>
#include <utility>

namespace pinion {

// Thrown by Executor::check() once the work was cancelled.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

class Executor {
 public:
  virtual ~Executor() = default;

  // How many calls of a loop can run at once; at least 1. [any]
  virtual unsigned width() const noexcept = 0;

  // Calls fn(arg, i) once for each i in [0, count), in any order and at once, and returns when all have returned.
  // A nested call runs inline. fn must not throw. [worker]
  virtual void run(std::uint64_t count, void (*fn)(void* arg, std::uint64_t i), void* arg) = 0;

  // True once the work should stop; poll at least every 100 ms of work. Lock-free. [any]
  virtual bool cancelled() const noexcept { return false; }

  // Work done so far, in units of the caller's choice; may go back. [any]
  virtual void progress(std::uint64_t /*done*/, std::uint64_t /*total*/) noexcept {}

  // Times a step of the work, with the bytes it moved; see Step. `name` is static. [any]
  virtual std::uint64_t begin_step(const char* /*name*/) noexcept { return 0; }
  virtual void end_step(std::uint64_t /*step*/, std::uint64_t /*bytes*/) noexcept {}

  void check() const {
    if (cancelled()) throw Cancelled{};
  }

  // run() for any callable f(i); the first exception a call throws is rethrown here, the others are dropped.
  template <class F>
  void for_each(std::uint64_t count, F&& f) {
    struct State {
      F* f;
      std::exception_ptr error;
      bool claimed = false;
    } state{&f, nullptr};
    run(
        count,
        [](void* arg, std::uint64_t i) {
          auto* s = static_cast<State*>(arg);
          try {
            (*s->f)(i);
          } catch (...) {
            if (!__atomic_exchange_n(&s->claimed, true, __ATOMIC_ACQ_REL)) s->error = std::current_exception();
          }
        },
        &state);
    if (state.error) std::rethrow_exception(state.error);
  }

  // Splits [0, n) into ranges of at least `grain` (about four per thread) and calls f(begin, end) for each.
  template <class F>
  void for_range(std::uint64_t n, std::uint64_t grain, F&& f) {
    if (n == 0) return;
    std::uint64_t parts = (n + grain - 1) / grain;
    const std::uint64_t most = std::uint64_t{width()} * 4;
    if (parts > most) parts = most;
    for_each(parts, [&](std::uint64_t k) { f(n * k / parts, n * (k + 1) / parts); });
  }
};

// Times a step from construction to destruction, on whatever keeps time. `name` is static.
class Step {
 public:
  Step(Executor& executor, const char* name) : executor_(executor), id_(executor.begin_step(name)) {}
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  ~Step() { executor_.end_step(id_, bytes_); }
  void add_bytes(std::uint64_t bytes) noexcept { bytes_ += bytes; }

 private:
  Executor& executor_;
  std::uint64_t id_;
  std::uint64_t bytes_ = 0;
};

// Runs everything on the calling thread.
class SerialExecutor final : public Executor {
 public:
  unsigned width() const noexcept override { return 1; }
  void run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) override {
    for (std::uint64_t i = 0; i < count; ++i) fn(arg, i);
  }
};

}  // namespace pinion
