// Uninitialised memory for vector kernels: 64-byte aligned, for trivial types, freed by its owner.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace pinion::bls::simd {

template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t count)
      : memory_(static_cast<T*>(std::aligned_alloc(64, bytes_for(count)))), size_(count) {
    if (!memory_) throw std::bad_alloc{};
  }
  static constexpr std::size_t bytes_for(std::size_t count) { return (count * sizeof(T) + 64) / 64 * 64; }

  T* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return memory_.get()[i]; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T[], Free> memory_;
  std::size_t size_ = 0;
};

}  // namespace pinion::bls::simd
