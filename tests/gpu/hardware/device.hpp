// Memory of a real device, for the same tests as on the emulator.
#pragma once

#include <cuda_runtime_api.h>

#include <pinion/bls12_381/fr.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "arena.hpp"

namespace pinion::test {

// The largest of the reference's vectors that are run here.
inline constexpr unsigned largest_transform_lg = 28;
inline constexpr std::size_t largest_sum = 1048576, largest_sum_g2 = 1048576;

inline void require(cudaError_t code, const char* what) {
  if (code != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
}

// Uninitialised bytes, filled with a pattern so that unwritten output shows.
class DeviceBytes {
 public:
  explicit DeviceBytes(std::size_t bytes) {
    require(cudaMalloc(&memory_, bytes + 1), "cudaMalloc");
    require(cudaMemset(memory_, 0xA5, bytes + 1), "cudaMemset");
  }
  ~DeviceBytes() { cudaFree(memory_); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  void* get() const { return memory_; }
  void upload(const void* from, std::size_t bytes, std::size_t at = 0) {
    require(cudaMemcpy(static_cast<std::byte*>(memory_) + at, from, bytes, cudaMemcpyHostToDevice), "upload");
  }
  void download(void* to, std::size_t bytes) const {
    require(cudaMemcpy(to, memory_, bytes, cudaMemcpyDeviceToHost), "download");
  }

 private:
  void* memory_ = nullptr;
};

inline void download(void* to, const void* from, std::size_t bytes) {
  require(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "download");
}

}  // namespace pinion::test

#include "device_vector.hpp"
