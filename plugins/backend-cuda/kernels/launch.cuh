// Launches, copies and fills on a stream, checked; the same calls in the emulator. For the .cu files of this folder.
#pragma once

#include <cstddef>
#include <string>

#include "platform.cuh"
#include "status.hpp"

namespace pinion::cuda {

struct Shape {  // of a launch
  unsigned blocks;
  unsigned threads;
  std::size_t shared_bytes = 0;
};

inline unsigned blocks_for(std::size_t items, unsigned threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

#if defined(__CUDACC__)

inline Status checked(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return {};
  return {static_cast<int>(code),
          std::string(what) + ": " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")"};
}

// A launch of nothing is nothing.
template <class... Parameters, class... Arguments>
Status launch(const char* what, void (*kernel)(Parameters...), Shape shape, Stream stream, Arguments... arguments) {
  if (shape.blocks == 0) return {};
  if (shape.shared_bytes > 48 << 10)
    PINION_TRY(checked(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.shared_bytes)),
        what));
  kernel<<<shape.blocks, shape.threads, shape.shared_bytes, stream>>>(static_cast<Parameters>(arguments)...);
  return checked(cudaGetLastError(), what);
}

// Between any two kinds of memory; from pageable host memory it returns when the source has been read.
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream, const char* what) {
  return checked(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), what);
}
inline Status fill(void* at, int byte, std::size_t bytes, Stream stream, const char* what) {
  return checked(cudaMemsetAsync(at, byte, bytes, stream), what);
}
inline Status wait(Stream stream, const char* what) {
  return checked(cudaStreamSynchronize(stream), what);
}

template <class T>
PINION_DEVICE T* shared_memory() {
  extern __shared__ uint4 shared_words[];
  return reinterpret_cast<T*>(shared_words);
}

#else

template <class... Parameters, class... Arguments>
Status launch(const char*, void (*kernel)(Parameters...), Shape shape, Stream stream, Arguments... arguments) {
  if (shape.blocks == 0) return {};
  emulator::catch_up(stream);
  emulator::run_grid({shape.blocks, 1, 1}, {shape.threads, 1, 1}, shape.shared_bytes,
                     [&] { kernel(static_cast<Parameters>(arguments)...); });
  return {};
}
inline Status copy(void* to, const void* from, std::size_t bytes, Stream stream, const char*) {
  emulator::catch_up(stream);
  if (bytes != 0) std::memcpy(to, from, bytes);
  return {};
}
inline Status fill(void* at, int byte, std::size_t bytes, Stream stream, const char*) {
  emulator::catch_up(stream);
  if (bytes != 0) std::memset(at, byte, bytes);
  return {};
}
inline Status wait(Stream stream, const char*) {
  emulator::catch_up(stream);
  return {};
}
template <class T>
T* shared_memory() {
  return static_cast<T*>(emulator::place().shared);
}

#endif

PINION_DEVICE std::size_t global_thread() {
  return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
PINION_DEVICE std::size_t global_threads() {
  return std::size_t{gridDim.x} * blockDim.x;
}

}  // namespace pinion::cuda
