// Adding points into buckets as affine points: a worker adds one point to each of its tasks a round, and divides by all
// the differences of x at once (Montgomery's trick). What is left when rounds have become narrow is added in XYZZ, by
// the kernel of msm_accumulate.cuh.
//
// A round is a sweep over the worker's tasks. For each it takes the inverse of this round's divisor out of that of the
// product of all, completes the addition, and at once multiplies the next round's divisor into the next product; so the
// next sweep goes the other way.
// Source: Montgomery 1987 for the inverses; the order of sweeps is ours.
#include "affine.cuh"
#include "async_copy.cuh"
#include "fp_inverse.cuh"
#include "launch.cuh"
#include "msm_rounds.cuh"
#include "parameters.hpp"
#include "sort.hpp"

namespace pinion::cuda::msm_steps {
namespace {

PINION_DEVICE const uint4* point_of(const uint4* points, u32 value) {
  return points + std::size_t{value & ~negative} * affine_words<G1>;
}
PINION_DEVICE bool is_negative(u32 value) {
  return (value & negative) != 0;
}
PINION_DEVICE AffinePoint signed_point(const uint4* points, u32 value) {
  const uint4* const point = point_of(points, value);
  return {load_fp(point), negate_if(load_fp(point + fp_words), is_negative(value))};
}

// What a thread has on its way to shared memory for a task: its record, the point to add now, and x of what the next
// round adds. Word j of a block's threads side by side.
struct Slot {
  static constexpr unsigned words = record_words + 3 * fp_words;
  uint4* at;
  PINION_DEVICE void fetch(const uint4* record, const uint4* point, const uint4* next_point) const {
    copy(0, record_words, record, record_step);
    copy(record_words, 2 * fp_words, point, 1);
    if (next_point != nullptr) copy(record_words + 2 * fp_words, fp_words, next_point, 1);
  }
  PINION_DEVICE AffinePoint sum() const { return {field(0), field(1)}; }
  PINION_DEVICE Fp product() const { return field(2); }
  PINION_DEVICE AffinePoint point() const { return {field(3), field(4)}; }
  PINION_DEVICE Fp next_x() const { return field(5); }

 private:
  PINION_DEVICE Fp field(unsigned i) const { return load_column(at + i * fp_words * rounds_threads, rounds_threads); }
  PINION_DEVICE void copy(unsigned to, unsigned count, const uint4* from, unsigned step) const {
    PINION_UNROLL
    for (unsigned j = 0; j < count; ++j) copy_async(at + (to + j) * rounds_threads, from + j * step);
  }
};
constexpr std::size_t rounds_shared = sizeof(uint4) * rounds_slots * Slot::words * rounds_threads;

struct Worker {
  const Rounds& rounds;
  const uint4* points;
  u32 me;
  uint4* slots;           // in shared memory
  Fp product = fp_one();  // of the next round's divisors so far; below 2 p

  PINION_DEVICE bool is_made(u32 round) const { return rounds.width[round] >= rounds_least_batch * rounds.workers; }
  PINION_DEVICE u32 tasks_in(u32 round) const {  // of this worker
    return is_made(round) ? (rounds.width[round] - me - 1) / rounds.workers + 1 : 0;
  }
  PINION_DEVICE const u32* values_in(u32 round) const { return rounds.values + rounds.start[round] + me; }
  PINION_DEVICE uint4* record(u32 k) const { return record_of(rounds, me, k); }
  PINION_DEVICE Slot slot(unsigned i) const { return {slots + i * (Slot::words * rounds_threads)}; }

  PINION_DEVICE void store_sum(uint4* record, const AffinePoint& sum) const {
    store_column(record, record_step, sum.x);
    store_column(record + fp_words * record_step, record_step, sum.y);
  }
  // Begins the addition of `value`, a point with that x, to a sum: the next sweep completes it.
  PINION_DEVICE void open(uint4* record, const AffinePoint& sum, const Fp& x, u32 value) {
    Fp divisor = loose_difference<2>(x, sum.x);
    if (is_rare(sum.x, x, divisor)) divisor = rare_divisor(sum, signed_point(points, value));
    store_column(record + 2 * fp_words * record_step, record_step, product);
    product = loose_product(divisor, product);
  }

  // Round 0: there is nothing to add to yet.
  PINION_DEVICE void copy() {
    const u32 count = tasks_in(0), count_next = tasks_in(1);
    for (u32 k = 0; k < count; ++k) {
      const AffinePoint sum = signed_point(points, values_in(0)[k * rounds.workers]);
      store_sum(record(k), sum);
      if (k >= count_next) continue;
      const u32 next = values_in(1)[k * rounds.workers];
      open(record(k), sum, load_fp(point_of(points, next)), next);
    }
  }

  PINION_DEVICE void sweep(u32 round) {
    const u32 count = tasks_in(round), count_next = tasks_in(round + 1);
    const u32 *const values = values_in(round), *const next_values = values_in(round + 1);
    const u32 turn = round % 2 != 0 ? ~0U : 1;  // of k, from one task to the next; beyond the last, k >= count
    u32 k = round % 2 != 0 ? count - 1 : 0;
    const auto value_at = [&](u32 at) { return at < count ? values[at * rounds.workers] : 0; };
    const auto next_value_at = [&](u32 at) { return at < count_next ? next_values[at * rounds.workers] : 0; };
    const auto fetch = [&](unsigned i, u32 at, u32 value, u32 next) {
      if (at < count)
        slot(i).fetch(record(at), point_of(points, value), at < count_next ? point_of(points, next) : nullptr);
      close_copy_group();
    };

    u32 value[rounds_slots + 1], next[rounds_slots + 1];  // of k, k + turn, …
    fence();                                              // the copies read what the last sweep has stored
    PINION_UNROLL
    for (unsigned ahead = 0; ahead <= rounds_slots; ++ahead) {
      value[ahead] = value_at(k + ahead * turn);
      next[ahead] = next_value_at(k + ahead * turn);
      if (ahead < rounds_slots) fetch(ahead, k + ahead * turn, value[ahead], next[ahead]);
    }
    Fp inverse = inverted(reduced(product));
    product = fp_one();
    unsigned i = 0;
    PINION_UNROLL_BY(1)
    for (; k < count; k += turn) {
      wait_copies<rounds_slots - 1>();
      const Slot here = slot(i);
      const Fp own = loose_product(inverse, here.product()), next_x = here.next_x();
      Fp divisor;
      const AffinePoint sum = affine_sum(here.sum(), here.point(), is_negative(value[0]), own, divisor);
      inverse = loose_product(divisor, inverse);
      store_sum(record(k), sum);
      fetch(i, k + rounds_slots * turn, value[rounds_slots], next[rounds_slots]);
      if (k < count_next) open(record(k), sum, next_x, next[0]);
      PINION_UNROLL
      for (unsigned ahead = 0; ahead < rounds_slots; ++ahead) {
        value[ahead] = value[ahead + 1];
        next[ahead] = next[ahead + 1];
      }
      value[rounds_slots] = value_at(k + (rounds_slots + 1) * turn);
      next[rounds_slots] = next_value_at(k + (rounds_slots + 1) * turn);
      i = i + 1 < rounds_slots ? i + 1 : 0;
    }
  }
};

__global__ void __launch_bounds__(rounds_threads, rounds_blocks)
    rounds_kernel(const Rounds rounds, const uint4* points) {
  const u32 me = static_cast<u32>(global_thread());
  Worker worker{rounds, points, me, shared_memory<uint4>() + threadIdx.x};
  if (worker.is_made(0)) worker.copy();
  u32 round = worker.is_made(0) ? 1 : 0;
  for (; worker.is_made(round); ++round) worker.sweep(round);
  if (me == 0) *rounds.made = round;
}

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

constexpr unsigned tile = 32, tile_rows = 8;  // a block turns tile x tile values at a time

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

std::size_t records_bytes(std::size_t tasks, std::uint32_t workers) {
  return (tasks + workers - 1) / workers * workers * record_words * sizeof(uint4);
}

}  // namespace

std::size_t rounds_bytes(std::size_t tasks, unsigned max_length, std::uint32_t workers) {
  return Arena::padded(records_bytes(tasks, workers)) + 2 * Arena::padded((max_length + 2) * sizeof(std::uint32_t)) +
         Arena::padded(sizeof(std::uint32_t));
}

Status make_rounds(const Tasks& tasks, std::uint32_t* values, std::uint32_t workers, Arena& arena, void* scratch,
                   std::size_t scratch_bytes, Rounds& out, Stream stream) {
  constexpr const char* what = "the rounds of a sum";
  const std::size_t rounds = tasks.max_length + 2;
  std::byte* sums = nullptr;
  PINION_TRY(arena.take(sums, records_bytes(tasks.capacity, workers), what));
  PINION_TRY(arena.take(out.start, rounds, what));
  PINION_TRY(arena.take(out.width, rounds, what));
  PINION_TRY(arena.take(out.made, 1, what));
  out.workers = workers;
  out.values = values;
  out.sums = sums;
  PINION_TRY(
      launch(what, widths_kernel, {blocks_for(rounds, stream_threads), stream_threads}, stream, tasks, out.width));
  PINION_TRY(prefix_sums(out.width, out.start, rounds, scratch, scratch_bytes, stream));
  return launch(what, turn_kernel,
                {blocks_for(tasks.capacity, tile), tile * tile_rows, tile * (tile + 1) * sizeof(u32)}, stream, tasks,
                out);
}

Status add_in_rounds(const Rounds& rounds, const void* points, Stream stream) {
  return launch("adding points in rounds", rounds_kernel,
                {rounds.workers / rounds_threads, rounds_threads, rounds_shared}, stream, rounds,
                static_cast<const uint4*>(points));
}

}  // namespace pinion::cuda::msm_steps
