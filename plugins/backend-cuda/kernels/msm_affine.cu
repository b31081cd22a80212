// The tasks of a sum by rounds: how wide each round is, and the values in the order in which rounds read them.
#include <algorithm>

#include "msm_affine.cuh"
#include "sort.hpp"

namespace pinion::cuda::msm_steps {
namespace {

constexpr unsigned tile = 32, tile_rows = 8;  // a block turns tile x tile values at a time

// width[k]: the tasks longer than k. width[max_length] and what follows are 0.
__global__ void widths_kernel(const Tasks tasks, u32* width) {
  const u32 round = static_cast<u32>(global_thread());
  if (round > tasks.max_length + 1) return;
  std::size_t first = 0, end = tasks.capacity;  // of the ranks, by halving
  while (first < end) {
    const std::size_t middle = (first + end) / 2;
    if (tasks.length[tasks.order[middle]] > round) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  width[round] = static_cast<u32>(first);
}

__global__ void turn_kernel(const Tasks tasks, const Rounds rounds) {
  u32* const shared = shared_memory<u32>();
  const u32 column = threadIdx.x % tile, row = threadIdx.x / tile;
  const std::size_t first = std::size_t{blockIdx.x} * tile;
  const u32 longest = tasks.length[tasks.order[first]];
  for (u32 from = 0; from < longest; from += tile) {
    for (u32 r = row; r < tile && first + r < tasks.capacity; r += tile_rows) {
      const u32 task = tasks.order[first + r];
      if (from + column < tasks.length[task])
        shared[r * (tile + 1) + column] = tasks.values[tasks.begin[task] + from + column];
    }
    __syncthreads();
    for (u32 r = row; r < tile && from + r < longest; r += tile_rows)
      if (first + column < rounds.width[from + r])
        rounds.values[rounds.start[from + r] + first + column] = shared[column * (tile + 1) + r];
    __syncthreads();
  }
}

std::size_t sums_bytes(const Tasks& tasks, std::uint32_t workers) {
  return (tasks.capacity + workers - 1) / workers * workers * rounds_words * sizeof(uint4);
}

}  // namespace

std::size_t rounds_bytes(const Tasks& tasks, std::uint32_t workers) {
  return Arena::padded(sums_bytes(tasks, workers)) + 2 * Arena::padded((tasks.max_length + 2) * sizeof(std::uint32_t)) +
         Arena::padded(sizeof(std::uint32_t));
}

Status make_rounds(const Tasks& tasks, std::uint32_t* values, std::uint32_t workers, Arena& arena, void* scratch,
                   std::size_t scratch_bytes, Rounds& out, Stream stream) {
  const std::size_t rounds = tasks.max_length + 2;
  std::byte* sums = nullptr;
  out.workers = workers;
  out.values = values;
  PINION_TRY(arena.take(sums, sums_bytes(tasks, workers), "the rounds of a sum"));
  PINION_TRY(arena.take(out.start, rounds, "the rounds of a sum"));
  PINION_TRY(arena.take(out.width, rounds, "the rounds of a sum"));
  PINION_TRY(arena.take(out.made, 1, "the rounds of a sum"));
  out.sums = sums;
  const Shape by_round{blocks_for(rounds, stream_threads), stream_threads};
  PINION_TRY(launch("the rounds of a sum", widths_kernel, by_round, stream, tasks, out.width));
  PINION_TRY(prefix_sums(out.width, out.start, rounds, scratch, scratch_bytes, stream));
  return launch("the rounds of a sum", turn_kernel,
                {blocks_for(tasks.capacity, tile), tile * tile_rows, tile * (tile + 1) * sizeof(u32)}, stream, tasks,
                out);
}

template <unsigned Threads, unsigned Blocks, unsigned Slots, bool Calls, bool Still>
Status add_in_rounds_by(const Rounds& rounds, const void* points, Stream stream) {
  const Shape shape{rounds.workers / Threads, Threads, sizeof(uint4) * Slots * Slot<Threads>::words * Threads};
  return launch("adding points in rounds", rounds_kernel<Threads, Blocks, Slots, Calls, Still>, shape, stream, rounds,
                static_cast<const uint4*>(points), rounds_least_batch * rounds.workers);
}
Status add_in_rounds(const Rounds& rounds, const void* points, unsigned variant, Stream stream) {
  switch (variant) {
    case 0:
      return add_in_rounds_by<128, 2, 2, false, false>(rounds, points, stream);
    case 1:
      return add_in_rounds_by<128, 2, 3, false, false>(rounds, points, stream);
    case 2:
      return add_in_rounds_by<128, 3, 2, false, false>(rounds, points, stream);
    case 3:
      return add_in_rounds_by<128, 2, 2, true, false>(rounds, points, stream);
    case 4:
      return add_in_rounds_by<128, 3, 2, true, false>(rounds, points, stream);
    case 5:
      return add_in_rounds_by<128, 2, 2, false, true>(rounds, points, stream);
    case 6:
      return add_in_rounds_by<128, 2, 2, true, true>(rounds, points, stream);
    default:
      return add_in_rounds_by<128, 3, 2, false, true>(rounds, points, stream);
  }
}

Status add_in_rounds(const Rounds& rounds, const void* points, Stream stream) {
  return add_in_rounds(rounds, points, 0, stream);
}

}  // namespace pinion::cuda::msm_steps
