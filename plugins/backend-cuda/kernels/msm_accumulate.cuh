// Adding points into buckets: the kernel where a proof spends its time. A thread (a pair of lanes in G2) keeps its sum
// in registers; the next two points are on their way to shared memory meanwhile, each lane fetching its own half.
#pragma once

#include "async_copy.cuh"
#include "curve.cuh"
#include "launch.cuh"
#include "msm_rounds.cuh"
#include "parameters.hpp"

namespace pinion::cuda::msm_steps {

inline constexpr unsigned slot_words = 2 * fp_words + 1;  // x and y of one lane; odd, so that lanes hit different banks
inline constexpr unsigned slots = 2;
inline constexpr std::size_t accumulate_shared = std::size_t{accumulate_threads} * slots * slot_words * 16;
template <class Group>
inline constexpr unsigned accumulate_blocks = Group::lanes == 1 ? accumulate_blocks_g1 : accumulate_blocks_g2;

template <class Group>
PINION_DEVICE void fetch(uint4* slot, const uint4* points, u32 value) {
  const uint4* const point = points + std::size_t{value & ~negative} * affine_words<Group> + fp_words * Group::lane();
  PINION_UNROLL
  for (unsigned j = 0; j < fp_words; ++j) {
    copy_async(slot + j, point + j);
    copy_async(slot + fp_words + j, point + fp_words * Group::lanes + j);
  }
}

// What rounds have made of the task of that rank, and how many of its values are in it.
template <class Group>
PINION_DEVICE Xyzz<Group> begun_sum(const Rounds& rounds, std::size_t rank, u32& length) {
  if constexpr (Group::lanes == 1) {
    const u32 made = rounds.sums == nullptr ? 0 : rounds.made[0];
    length = made < length ? made : length;
    if (length > 0) {
      const uint4* const at =
          record_of(rounds, static_cast<u32>(rank % rounds.workers), static_cast<u32>(rank / rounds.workers));
      const Fp x = reduced(load_column(at, record_step));
      const Fp y = reduced(load_column(at + fp_words * record_step, record_step));
      if (!is_zero(x) || !is_zero(y)) return {x, y, fp_one(), fp_one()};
    }
  } else {
    length = 0;
  }
  return infinity<Group>();
}

template <class Group>
__global__ void __launch_bounds__(accumulate_threads, accumulate_blocks<Group>)
    accumulate_kernel(const Tasks tasks, const Rounds rounds, const uint4* points, uint4* sums) {
  const std::size_t worker = global_thread() / Group::lanes;
  if (worker >= tasks.capacity) return;
  const u32 task = tasks.order[worker];
  u32 begun = tasks.length[task];
  Xyzz<Group> sum = begun_sum<Group>(rounds, worker, begun);
  const u32 length = tasks.length[task] - begun;
  const u32* const values = tasks.values + tasks.begin[task] + begun;
  uint4* const mine = shared_memory<uint4>() + threadIdx.x * (slots * slot_words);
  const auto value_at = [&](u32 k) { return k < length ? values[k] : 0; };

  u32 current = value_at(0), next = value_at(1), ahead = value_at(2);
  if (length > 0) fetch<Group>(mine, points, current);
  close_copy_group();
  if (length > 1) fetch<Group>(mine + slot_words, points, next);
  close_copy_group();
  for (u32 k = 0; k < length; ++k) {
    wait_copies<1>();
    uint4* const slot = mine + (k % slots) * slot_words;
    typename Group::Field x, y;
    Group::half(x) = load_fp(slot);
    Group::half(y) = load_fp(slot + fp_words);
    y = negate_if(y, (current & negative) != 0);
    if (k + slots < length) fetch<Group>(slot, points, ahead);
    close_copy_group();
    current = next;
    next = ahead;
    ahead = value_at(k + slots + 1);
    add_affine<Group>(sum, x, y);
  }
  store_xyzz<Group>(sums + std::size_t{task} * xyzz_words<Group>, sum);
}

template <class Group>
Status Steps<Group>::accumulate(const Tasks& tasks, const Rounds& rounds, const void* points, void* sums,
                                Stream stream) {
  const Shape shape{blocks_for(tasks.capacity * Group::lanes, accumulate_threads), accumulate_threads,
                    accumulate_shared};
  return launch("adding points", accumulate_kernel<Group>, shape, stream, tasks, rounds,
                static_cast<const uint4*>(points), static_cast<uint4*>(sums));
}

}  // namespace pinion::cuda::msm_steps
