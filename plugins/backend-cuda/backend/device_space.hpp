// The memory of one device: taken from the driver once, at first use, and given out in blocks, so that no job allocates
// or frees device memory (both wait for everything the device does). The host's ledger says whether there is room; this
// finds the place. Residents, which stay, lie at the low end, arenas, which come and go, at the high end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "runtime.hpp"

namespace pinion::backend_cuda {

class DeviceSpace;

// A block of the space; given back when dropped.
class DeviceBlock {
 public:
  DeviceBlock() = default;
  DeviceBlock(DeviceBlock&& other) noexcept { swap(other); }
  DeviceBlock& operator=(DeviceBlock&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBlock();
  std::byte* data() const { return data_; }
  std::uint64_t size() const { return size_; }

 private:
  friend class DeviceSpace;
  void swap(DeviceBlock& other) noexcept {
    std::swap(space_, other.space_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  DeviceSpace* space_ = nullptr;
  std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
};

class DeviceSpace {
 public:
  static constexpr std::uint64_t alignment = 256;
  static constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
  enum class End { low, high };

  // `name` is the device's, for sentences.
  DeviceSpace(std::string name, std::uint64_t capacity)
      : name_(std::move(name)), capacity_(capacity / alignment * alignment) {}
  DeviceSpace(const DeviceSpace&) = delete;
  DeviceSpace& operator=(const DeviceSpace&) = delete;

  std::uint64_t capacity() const { return capacity_; }
  // Throws OUT_OF_MEMORY, and for what the driver says what errors.hpp makes of it. The device is current. [worker]
  DeviceBlock take(std::uint64_t bytes, End end, const char* what);

 private:
  friend class DeviceBlock;
  void open();  // locked
  void give_back(std::uint64_t offset, std::uint64_t size) noexcept;

  std::string name_;
  std::uint64_t capacity_;
  std::mutex mutex_;
  cuda::Memory memory_;
  std::map<std::uint64_t, std::uint64_t> holes_;  // offset -> size, never adjacent
};

}  // namespace pinion::backend_cuda
