// Arrays and arenas over DeviceBytes. Included by device.hpp, of which there are two: the emulator's and the
// hardware's.
#pragma once

#include <span>
#include <vector>

namespace pinion::test {

template <class T>
class DeviceVector {
 public:
  explicit DeviceVector(std::size_t size) : size_(size), bytes_(size * sizeof(T)) {}
  explicit DeviceVector(const std::vector<T>& from) : DeviceVector(from.size()) {
    bytes_.upload(from.data(), size_ * sizeof(T));
  }
  void upload(std::size_t at, std::span<const T> from) {
    bytes_.upload(from.data(), from.size_bytes(), at * sizeof(T));
  }
  // The same bytes as the kernels' type.
  template <class U>
  U* as() {
    return static_cast<U*>(bytes_.get());
  }
  T* get() { return static_cast<T*>(bytes_.get()); }
  std::vector<T> download() const {
    std::vector<T> out(size_);
    bytes_.download(static_cast<void*>(out.data()), size_ * sizeof(T));
    return out;
  }

 private:
  std::size_t size_;
  DeviceBytes bytes_;
};

struct DeviceArena {
  explicit DeviceArena(std::size_t bytes) : memory(bytes), arena(memory.get(), bytes) {}
  DeviceBytes memory;
  cuda::Arena arena;
};

}  // namespace pinion::test
