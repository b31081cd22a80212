#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <pinion/host/memory/heap.hpp>

namespace pinion::host {
namespace {

// Resident and not of a file, from /proc/self/statm ("size resident shared …", in pages), without touching the heap.
Bytes own_resident() noexcept {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::array<char, 128> text{};
  const ssize_t length = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  if (length <= 0) return {};
  char* at = nullptr;
  (void)std::strtoull(text.data(), &at, 10);
  const std::uint64_t resident = std::strtoull(at, &at, 10), shared = std::strtoull(at, &at, 10);
  return Bytes((resident - std::min(shared, resident)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace

Bytes trim_heap() noexcept {
  static std::atomic_flag trimming;  // there is one heap, whoever asks
  if (trimming.test_and_set(std::memory_order_acquire)) return {};
  const Bytes before = own_resident();
  ::malloc_trim(0);
  const Bytes after = own_resident();
  trimming.clear(std::memory_order_release);
  return checked_sub(before, after).value_or(Bytes());
}

}  // namespace pinion::host
