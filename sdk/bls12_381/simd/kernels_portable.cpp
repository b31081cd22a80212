#include "kernel_table.hpp"
#include "portable_field.hpp"

namespace pinion::bls::simd {

const Kernels& portable_kernels() noexcept {
  static constexpr Kernels table = kernel_table<FpPortable, FrPortable>("portable");
  return table;
}

}  // namespace pinion::bls::simd
