// Copies from device to shared memory that run while the thread computes (cp.async). A thread sees its own after wait.
#pragma once

#include "platform.cuh"

namespace pinion::cuda {

#if defined(__CUDACC__)

PINION_DEVICE void copy_async(uint4* shared, const uint4* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               :
               : "r"(static_cast<u32>(__cvta_generic_to_shared(shared))), "l"(from)
               : "memory");
}
PINION_DEVICE void close_copy_group() {
  asm volatile("cp.async.commit_group;" : : : "memory");
}
// Until at most `Pending` of the groups closed last are under way.
template <int Pending>
PINION_DEVICE void wait_copies() {
  asm volatile("cp.async.wait_group %0;" : : "n"(Pending) : "memory");
}
// What this thread has stored so far is what its copies read from here on.
PINION_DEVICE void fence() {
  __threadfence();
}

#else

inline void copy_async(uint4* shared, const uint4* from) {
  *shared = *from;
}
inline void close_copy_group() {}
inline void fence() {}
template <int Pending>
void wait_copies() {}

#endif

}  // namespace pinion::cuda
