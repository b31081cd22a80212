// An executor whose progress is a stretch of the whole work's: what runs on it counts from its own 0 to its own end.
#pragma once

#include <pinion/executor.hpp>

namespace pinion::backend_cpu {

class ProgressRange final : public Executor {
 public:
  // From `begin` to `end`, both of `whole`, in the units of `outer`'s progress. Tells `begin` at once.
  ProgressRange(Executor& outer, std::uint64_t begin, std::uint64_t end, std::uint64_t whole)
      : outer_(outer), begin_(begin), length_(end - begin), whole_(whole) {
    outer_.progress(begin_, whole_);
  }

  unsigned width() const noexcept override { return outer_.width(); }
  void run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) override { outer_.run(count, fn, arg); }
  bool cancelled() const noexcept override { return outer_.cancelled(); }
  void progress(std::uint64_t done, std::uint64_t total) noexcept override {
    if (total != 0) outer_.progress(begin_ + length_ * done / total, whole_);
  }

  std::uint64_t begin_step(const char* name) noexcept override { return outer_.begin_step(name); }
  void end_step(std::uint64_t step, std::uint64_t bytes) noexcept override { outer_.end_step(step, bytes); }

 private:
  Executor& outer_;
  const std::uint64_t begin_, length_, whole_;
};

}  // namespace pinion::backend_cpu
