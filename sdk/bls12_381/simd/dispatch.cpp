#include "kernels.hpp"

namespace pinion::bls::simd {

#ifdef PINION_HAS_IFMA_KERNELS
extern const Kernels ifma_kernel_table;

const Kernels* ifma_kernels() noexcept {
  // The compiler's run-time support asks CPUID, and XGETBV whether the system saves the registers.
  static const bool usable = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                             __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
                             __builtin_cpu_supports("avx512ifma") != 0;
  return usable ? &ifma_kernel_table : nullptr;
}
#else
const Kernels* ifma_kernels() noexcept {
  return nullptr;
}
#endif

const Kernels& best_kernels() noexcept {
  const Kernels* const fast = ifma_kernels();
  return fast != nullptr ? *fast : portable_kernels();
}

}  // namespace pinion::bls::simd
