// A parallel loop whose workers have numbers, so that each can keep its buffers from item to item.
#pragma once

#include <atomic>
#include <cstdint>
#include <pinion/executor.hpp>

namespace pinion::bls::simd {

// f(worker, item) once for every item in [0, count); worker < executor.width(), and no two calls with the same worker
// run at once. Cancellation is polled before each item, so items should take well under 100 ms. [worker]
template <class F>
void share(Executor& executor, std::uint64_t count, F&& f) {
  std::atomic<std::uint64_t> next{0};
  executor.for_each(count < executor.width() ? count : executor.width(), [&](std::uint64_t worker) {
    for (std::uint64_t item = next++; item < count; item = next++) {
      executor.check();
      f(worker, item);
    }
  });
}

}  // namespace pinion::bls::simd
