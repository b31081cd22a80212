// From buckets to one point a window. Items carry two sums, weighted A and plain R; a chunk of L items with weights 0 …
// L - 1 times 2^weight_lg becomes
//   A' = sum A_i + 2^weight_lg sum i R_i,   R' = sum R_i,
// and after the levels that leave one item, A is sum b S_b and A + R the window's sum_b (b + 1) S_b.
// Additions are calls, not inlined: these kernels are short, and code this large would be fetched over and over.
#pragma once

#include "curve.cuh"
#include "launch.cuh"
#include "msm_tasks.hpp"

namespace pinion::cuda::msm_steps {

inline constexpr unsigned reduce_threads = 128, fold_factor = 8;

template <class Group>
PINION_CALL void add_call(Xyzz<Group>& sum, const Xyzz<Group>& b) {
  add(sum, b);
}
template <class Group>
PINION_CALL void double_call(Xyzz<Group>& sum, unsigned times) {
  for (unsigned i = 0; i < times; ++i) sum = doubled(sum);
}

// Buckets of several tasks, noted by number.
__global__ static void list_heavy(const Tasks tasks, u32* heavy) {
  const std::size_t b = global_thread();
  if (b < tasks.buckets && tasks.first[b + 1] - tasks.first[b] > 1)
    heavy[1 + atomicAdd(heavy, 1U)] = static_cast<u32>(b);
}

// A block per heavy bucket at a time: strided sums, then halving through the places of the bucket's own tasks.
template <class Group>
__global__ void __launch_bounds__(reduce_threads) combine_kernel(const Tasks tasks, uint4* sums, const u32* heavy) {
  const u32 workers = reduce_threads / Group::lanes, me = threadIdx.x / Group::lanes;
  for (u32 h = blockIdx.x; h < heavy[0]; h += gridDim.x) {
    const u32 bucket = heavy[1 + h];
    const u32 first = tasks.first[bucket], count = tasks.first[bucket + 1] - first;
    uint4* const base = sums + std::size_t{first} * xyzz_words<Group>;
    const auto add_into = [&](u32 to, u32 from, u32 step, u32 end) {
      Xyzz<Group> sum = load_xyzz<Group>(base + std::size_t{to} * xyzz_words<Group>);
      for (u32 i = from; i < end; i += step) {
        const Xyzz<Group> other = load_xyzz<Group>(base + std::size_t{i} * xyzz_words<Group>);
        add_call(sum, other);
      }
      store_xyzz<Group>(base + std::size_t{to} * xyzz_words<Group>, sum);
    };
    if (me < count) add_into(me, me + workers, workers, count);
    for (u32 half = workers / 2; half > 0; half /= 2) {
      __syncthreads();
      if (me < half && me + half < count) add_into(me, me + half, 1, me + half + 1);
    }
    __syncthreads();
  }
}

struct ReduceArguments {
  const u32* first;  // of the buckets' tasks; null above level 0
  const uint4* weighted_in;
  const uint4* plain_in;
  uint4* weighted_out;
  uint4* plain_out;
  std::size_t items;
  unsigned chunk, weight_lg;
};

template <class Group>
__global__ void __launch_bounds__(reduce_threads) reduce_kernel(const ReduceArguments from) {
  const std::size_t out = global_thread() / Group::lanes;
  if (out * from.chunk >= from.items) return;
  constexpr std::size_t words = xyzz_words<Group>;
  Xyzz<Group> plain = infinity<Group>(), ramp = infinity<Group>(), weighted = infinity<Group>();
  for (unsigned k = from.chunk; k-- > 0;) {
    const std::size_t i = out * from.chunk + k;
    if (i >= from.items) continue;
    add_call(ramp, plain);
    Xyzz<Group> item = infinity<Group>();
    if (from.first == nullptr) {
      item = load_xyzz<Group>(from.plain_in + i * words);
    } else if (from.first[i] != from.first[i + 1]) {
      item = load_xyzz<Group>(from.plain_in + std::size_t{from.first[i]} * words);
    }
    add_call(plain, item);
    if (from.weighted_in != nullptr) {
      item = load_xyzz<Group>(from.weighted_in + i * words);
      add_call(weighted, item);
    }
  }
  double_call(ramp, from.weight_lg);
  add_call(weighted, ramp);
  store_xyzz<Group>(from.weighted_out + out * words, weighted);
  store_xyzz<Group>(from.plain_out + out * words, plain);
}

// sums[i] += sums[i + step] + sums[i + 2 step] + … below count, for i < step
template <class Group>
__global__ void __launch_bounds__(reduce_threads) fold_kernel(uint4* sums, std::size_t count, std::size_t step) {
  const std::size_t i = global_thread() / Group::lanes;
  if (i >= step) return;
  Xyzz<Group> sum = load_xyzz<Group>(sums + i * xyzz_words<Group>);
  for (std::size_t k = i + step; k < count; k += step) {
    const Xyzz<Group> other = load_xyzz<Group>(sums + k * xyzz_words<Group>);
    add_call(sum, other);
  }
  store_xyzz<Group>(sums + i * xyzz_words<Group>, sum);
}

template <class Group>
__global__ void __launch_bounds__(reduce_threads)
    add_pairs_kernel(const uint4* a, const uint4* b, uint4* out, std::size_t count) {
  const std::size_t i = global_thread() / Group::lanes;
  if (i >= count) return;
  Xyzz<Group> sum = load_xyzz<Group>(a + i * xyzz_words<Group>);
  const Xyzz<Group> other = load_xyzz<Group>(b + i * xyzz_words<Group>);
  add_call(sum, other);
  store_xyzz<Group>(out + i * xyzz_words<Group>, sum);
}

template <class Group>
Status Steps<Group>::combine(const Tasks& tasks, void* sums, std::uint32_t* heavy, Stream stream) {
  PINION_TRY(fill(heavy, 0, sizeof(u32), stream, "the list of long buckets"));
  PINION_TRY(
      launch("the list of long buckets", list_heavy, {blocks_for(tasks.buckets, 256), 256}, stream, tasks, heavy));
  return launch("sums of long buckets", combine_kernel<Group>, {264, reduce_threads}, stream, tasks,
                static_cast<uint4*>(sums), heavy);
}

template <class Group>
Status Steps<Group>::reduce(const Tasks* tasks, const void* weighted_in, const void* plain_in, void* weighted_out,
                            void* plain_out, std::size_t items, unsigned chunk, unsigned weight_lg, Stream stream) {
  const ReduceArguments arguments{tasks != nullptr ? tasks->first : nullptr,
                                  static_cast<const uint4*>(weighted_in),
                                  static_cast<const uint4*>(plain_in),
                                  static_cast<uint4*>(weighted_out),
                                  static_cast<uint4*>(plain_out),
                                  items,
                                  chunk,
                                  weight_lg};
  const std::size_t outputs = (items + chunk - 1) / chunk;
  return launch("reducing buckets", reduce_kernel<Group>,
                {blocks_for(outputs * Group::lanes, reduce_threads), reduce_threads}, stream, arguments);
}

template <class Group>
Status Steps<Group>::fold(void* sums, std::size_t count, Stream stream) {
  while (count > 1) {
    const std::size_t step = (count + fold_factor - 1) / fold_factor;
    PINION_TRY(launch("adding partial sums", fold_kernel<Group>,
                      {blocks_for(step * Group::lanes, reduce_threads), reduce_threads}, stream,
                      static_cast<uint4*>(sums), count, step));
    count = step;
  }
  return {};
}

template <class Group>
Status Steps<Group>::add_pairs(const void* a, const void* b, void* out, std::size_t count, Stream stream) {
  return launch("adding sums", add_pairs_kernel<Group>,
                {blocks_for(count * Group::lanes, reduce_threads), reduce_threads}, stream,
                static_cast<const uint4*>(a), static_cast<const uint4*>(b), static_cast<uint4*>(out), count);
}

}  // namespace pinion::cuda::msm_steps
