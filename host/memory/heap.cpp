#include <malloc.h>

#include <atomic>
#include <pinion/host/memory/heap.hpp>

namespace pinion::host {

void trim_heap() noexcept {
  static std::atomic_flag trimming;  // there is one heap, whoever asks
  if (trimming.test_and_set(std::memory_order_acquire)) return;
  ::malloc_trim(0);
  trimming.clear(std::memory_order_release);
}

}  // namespace pinion::host
