// A stretch of device memory handed in by the caller, given out from the front: kernels allocate nothing. Not an owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "status.hpp"

namespace pinion::cuda {

class Arena {
 public:
  Arena(void* memory, std::size_t bytes) : base_(static_cast<std::byte*>(memory)), size_(bytes) {}

  // `count` uninitialised elements, 256-byte aligned; `what` is for the sentence when there is no room.
  template <class T>
  Status take(T*& out, std::size_t count, const char* what) {
    const std::size_t bytes = padded(count * sizeof(T));
    if (bytes > size_ - used_)
      return {Status::arena_too_small, "the device arena has " + std::to_string(size_ - used_) + " bytes left of " +
                                           std::to_string(size_) + "; " + what + " needs " + std::to_string(bytes)};
    out = reinterpret_cast<T*>(base_ + used_);
    used_ += bytes;
    if (used_ > peak_) peak_ = used_;
    return {};
  }
  static constexpr std::size_t padded(std::size_t bytes) { return (bytes + 255) & ~std::size_t{255}; }

  std::size_t size() const { return size_; }
  std::size_t used() const { return used_; }
  std::size_t peak() const { return peak_; }
  void release_to(std::size_t used) { used_ = used; }

 private:
  std::byte* base_;
  std::size_t size_, used_ = 0, peak_ = 0;
};

// Gives back at the end of a scope what was taken in it. The stream orders reuse.
class ArenaScope {
 public:
  explicit ArenaScope(Arena& arena) : arena_(arena), used_(arena.used()) {}
  ~ArenaScope() { arena_.release_to(used_); }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  Arena& arena_;
  std::size_t used_;
};

}  // namespace pinion::cuda
