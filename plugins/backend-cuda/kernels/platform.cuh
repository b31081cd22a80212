// What kernel code stands on: CUDA under nvcc, and otherwise the emulator, which runs the same kernels on the CPU for
// tests (one fibre per thread of a block). Kernels use only what both offer.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#define PINION_DEVICE __device__ __forceinline__
#define PINION_BOTH __host__ __device__ __forceinline__
#define PINION_CALL __device__ __noinline__
#define PINION_UNROLL _Pragma("unroll")
#define PINION_PRAGMA(text) _Pragma(#text)
#define PINION_UNROLL_BY(count) PINION_PRAGMA(unroll count)
#else
#include "emulator.hpp"
#define PINION_DEVICE inline
#define PINION_BOTH inline
#define PINION_CALL inline
#define PINION_UNROLL
#define PINION_UNROLL_BY(count)
#endif

namespace pinion::cuda {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

}  // namespace pinion::cuda
