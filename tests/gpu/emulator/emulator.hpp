// The part of CUDA that the kernels of this folder use, on the CPU: for tests where there is no GPU, at small sizes.
// A block's threads are fibres; a barrier hands over to the next. Launches return when the grid has run. Not for speed,
// and not for finding races within a kernel: that is compute-sanitizer's work. Copies of the runtime (runtime.cpp)
// happen as late as streams and events allow, so that a kernel that does not wait for its data reads something else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

struct CUstream_st;

namespace pinion::cuda::emulator {

// Everything that `stream` has been given happens now; what runs at once comes after it.
void catch_up(CUstream_st* stream);

struct Index {
  unsigned x = 0, y = 0, z = 0;
};
struct Place {  // of the running fibre
  Index thread, block, block_dim, grid_dim;
  void* shared = nullptr;
};
Place& place();

// Runs f once for every thread of every block; `shared_bytes` of scratch a block, filled with a pattern.
void run_grid(Index grid, Index block, std::size_t shared_bytes, const std::function<void()>& f);

void block_barrier();
// All lanes of `mask` meet, exchange a word, and go on; returns lane `source`'s.
std::uint32_t exchange(unsigned mask, std::uint32_t value, unsigned source);

}  // namespace pinion::cuda::emulator

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define threadIdx (::pinion::cuda::emulator::place().thread)
#define blockIdx (::pinion::cuda::emulator::place().block)
#define blockDim (::pinion::cuda::emulator::place().block_dim)
#define gridDim (::pinion::cuda::emulator::place().grid_dim)

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

inline void __syncthreads() {
  ::pinion::cuda::emulator::block_barrier();
}
inline unsigned __shfl_xor_sync(unsigned mask, unsigned value, unsigned lanes) {
  return ::pinion::cuda::emulator::exchange(mask, value, (threadIdx.x % 32) ^ lanes);
}
inline unsigned atomicAdd(unsigned* at, unsigned value) {
  const unsigned old = *at;
  *at += value;
  return old;
}
inline unsigned atomicMax(unsigned* at, unsigned value) {
  const unsigned old = *at;
  *at = std::max(old, value);
  return old;
}
template <class T>
T __ldg(const T* at) {
  return *at;
}
inline int __popcll(unsigned long long bits) {
  return __builtin_popcountll(bits);
}
inline int __ffsll(unsigned long long bits) {
  return __builtin_ffsll(static_cast<long long>(bits));
}
