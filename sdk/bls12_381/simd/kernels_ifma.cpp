// Compiled for AVX-512 IFMA (see CMakeLists.txt): nothing here may be reached before a CPUID check, and nothing here
// may have external linkage but this one constant.
#include "ifma_field.hpp"
#include "kernel_table.hpp"

namespace pinion::bls::simd {

extern const Kernels ifma_kernel_table;
constexpr Kernels ifma_kernel_table = kernel_table<FpIfma, FrIfma>("avx512ifma");

}  // namespace pinion::bls::simd
