// Memory "of the device" for the tests: here, where the emulator is the device, the heap. tests/gpu/hardware/ has the
// same interface over a real one.
#pragma once

#include <cstring>
#include <memory>
#include <pinion/bls12_381/fr.hpp>
#include <vector>

#include "arena.hpp"

namespace pinion::test {

// The largest of the reference's vectors that are run here.
inline constexpr unsigned largest_transform_lg = 11;
inline constexpr std::size_t largest_sum = 3, largest_sum_g2 = 1;

// Uninitialised bytes, 256-byte aligned, filled with a pattern so that unwritten output shows.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t bytes) : memory_(new (std::align_val_t{256}) std::byte[bytes + 1]) {
    std::memset(memory_.get(), 0xA5, bytes + 1);
  }
  void* get() const { return memory_.get(); }
  void upload(const void* from, std::size_t bytes, std::size_t at = 0) {
    if (bytes != 0) std::memcpy(memory_.get() + at, from, bytes);
  }
  void download(void* to, std::size_t bytes) const {
    if (bytes != 0) std::memcpy(to, get(), bytes);
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{256}); }
  };
  std::unique_ptr<std::byte[], Free> memory_;
};

inline void download(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

}  // namespace pinion::test

#include "device_vector.hpp"
