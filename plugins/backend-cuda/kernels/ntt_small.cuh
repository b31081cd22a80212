// A transform of at most 2^11 elements by one block: radix two in shared memory, natural order in and out.
#pragma once

#include "ntt_tile.cuh"

namespace pinion::cuda::ntt {

inline constexpr unsigned small_threads = 256;

// roots: w^e, e < 2^(small_lg - 1), w of order 2^small_lg; scales by before[i] and after[i] where they are not null.
__global__ void __launch_bounds__(small_threads)
    transform_small(Fr* data, unsigned lg_size, const Fr* roots, const Fr* before, const Fr* after) {
  Fr* const shared = shared_memory<Fr>();
  const unsigned size = 1U << lg_size;
  for (unsigned i = threadIdx.x; i < size; i += small_threads)
    shared[i] = before != nullptr ? load_data(data + i) * load(before + i) : load_data(data + i);
  for (unsigned stage = lg_size; stage-- > 0;) {
    __syncthreads();
    const unsigned half = 1U << stage;
    for (unsigned pair = threadIdx.x; pair < size / 2; pair += small_threads) {
      const unsigned j = pair & (half - 1);
      const unsigned i = ((pair - j) << 1) + j;
      const Fr a = shared[i], b = shared[i + half];
      shared[i] = a + b;
      shared[i + half] = (a - b) * load(roots + (j << (small_lg - 1 - stage)));
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < size; i += small_threads) {
    const Fr x = shared[reverse_bits(i, lg_size)];
    store(data + i, after != nullptr ? x * load(after + i) : x);
  }
}

}  // namespace pinion::cuda::ntt
