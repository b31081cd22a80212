// A transform of at most 2^11 elements by one block: radix two in shared memory, natural order in and out.
#pragma once

#include "ntt_tile.cuh"

namespace pinion::cuda::ntt {

inline constexpr unsigned small_threads = 256;

// roots: row 1 of a table of two, w^e for e < 2^(small_lg - 1), w of order 2^small_lg; scale: of one row, or null.
__global__ void __launch_bounds__(small_threads)
    transform_small(const PassArguments pass, unsigned lg_size, const uint4* roots, const uint4* scale,
                    bool scale_first) {
  constexpr unsigned roots_length = 1U << (small_lg - 1);
  Fr* const shared = shared_memory<Fr>();
  const unsigned size = 1U << lg_size;
  const auto scaled = [&](const Fr& x, unsigned i) { return x * load_factor(scale, size, i); };
  for (unsigned i = threadIdx.x; i < size; i += small_threads) {
    Fr x = load_data(pass.from + i);
    if (pass.times != nullptr) x = x * load_data(pass.times + i);
    shared[i] = scale != nullptr && scale_first ? scaled(x, i) : x;
  }
  for (unsigned stage = lg_size; stage-- > 0;) {
    __syncthreads();
    const unsigned half = 1U << stage;
    for (unsigned pair = threadIdx.x; pair < size / 2; pair += small_threads) {
      const unsigned j = pair & (half - 1);
      const unsigned i = ((pair - j) << 1) + j;
      const Fr a = shared[i], b = shared[i + half];
      shared[i] = lazy::add(a, b);
      shared[i + half] = lazy::sub(a, b) * load_factor(roots, roots_length, j << (small_lg - 1 - stage));
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < size; i += small_threads) {
    Fr x = shared[reverse_bits(i, lg_size)];
    if (scale != nullptr && !scale_first) x = scaled(x, i);
    if (pass.minus != nullptr) x = lazy::sub(x, load_data(pass.minus + i)) * load(pass.factor);
    store(pass.to + i, lazy::reduced(x));
  }
}

}  // namespace pinion::cuda::ntt
