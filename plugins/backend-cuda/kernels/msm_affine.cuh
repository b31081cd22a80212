// Adding points into buckets as affine points, 5 products and a square an addition where XYZZ takes 7.5 and 2: a worker
// adds one point to each of its tasks a round, and divides by all the differences of x at once (Montgomery's trick).
// What is left when rounds have become narrow is added in XYZZ, by the kernel of msm_accumulate.cuh.
//
// A round is a sweep over the worker's tasks. For each it takes the inverse of this round's divisor out of that of the
// product of all, completes the addition, and at once multiplies the next round's divisor into the next product; so the
// next sweep goes the other way.
// Source: Montgomery 1987 for the inverses; the order of sweeps is ours.
#pragma once

#include "async_copy.cuh"
#include "curve.cuh"
#include "fp_inverse.cuh"
#include "launch.cuh"
#include "msm_tasks.hpp"
#include "parameters.hpp"

namespace pinion::cuda::msm_steps {

struct AffinePoint {
  Fp x, y;
};

PINION_DEVICE bool is_infinity(const AffinePoint& a) {
  return is_zero(a.x) && is_zero(a.y);
}

PINION_DEVICE const uint4* point_of(const uint4* points, u32 value) {
  return points + std::size_t{value & ~negative} * affine_words<G1>;
}
PINION_DEVICE Fp signed_y(const uint4* point, u32 value) {
  return negate_if(load_fp(point + fp_words), (value & negative) != 0);
}

// Whether a and b may be something else than two points with different x, none of them infinity; d = b.x - a.x.
PINION_DEVICE bool is_rare(const Fp& ax, const Fp& bx, const Fp& d) {
  return is_zero(d) || is_zero(ax) || is_zero(bx);
}
// What the slope's numerator is divided by in a + b: never zero. One where there is nothing to divide.
PINION_CALL Fp rare_divisor(const AffinePoint& a, const AffinePoint& b) {
  if (is_infinity(a) || is_infinity(b)) return fp_one();
  const Fp d = b.x - a.x;
  if (!is_zero(d)) return d;
  const Fp twice_y = a.y + b.y;
  return is_zero(twice_y) ? fp_one() : twice_y;
}
// a + b, from the inverse of rare_divisor.
PINION_CALL AffinePoint rare_sum(const AffinePoint& a, const AffinePoint& b, const Fp& inverse) {
  if (is_infinity(a)) return b;
  if (is_infinity(b)) return a;
  const bool same_x = is_zero(b.x - a.x);
  if (same_x && is_zero(a.y + b.y)) return AffinePoint{};
  Fp numerator = b.y - a.y;
  if (same_x) {
    numerator = square(a.x);
    numerator = numerator + numerator + numerator;
  }
  const Fp slope = numerator * inverse;
  const Fp x = square(slope) - a.x - b.x;
  return {x, slope * (a.x - x) - a.y};
}

// Points on their way to a thread: what is added now, and x of what the next round adds to the same task. Word j of a
// block's threads side by side.
template <unsigned Threads>
struct Slot {
  static constexpr unsigned words = 3 * fp_words;
  uint4* at;
  PINION_DEVICE void fetch(const uint4* points, u32 value, bool again, u32 next) const {
    const uint4* const point = points + std::size_t{value & ~negative} * affine_words<G1>;
    PINION_UNROLL
    for (unsigned j = 0; j < 2 * fp_words; ++j) copy_async(at + j * Threads, point + j);
    if (!again) return;
    const uint4* const next_point = points + std::size_t{next & ~negative} * affine_words<G1>;
    PINION_UNROLL
    for (unsigned j = 0; j < fp_words; ++j) copy_async(at + (2 * fp_words + j) * Threads, next_point + j);
  }
  PINION_DEVICE Fp x() const { return load_column(at, Threads); }
  PINION_DEVICE Fp y() const { return load_column(at + fp_words * Threads, Threads); }
  PINION_DEVICE Fp next_x() const { return load_column(at + 2 * fp_words * Threads, Threads); }
};

template <unsigned Threads, unsigned Blocks, unsigned Slots, bool Ahead>
__global__ void __launch_bounds__(Threads, Blocks)
    rounds_kernel(const Rounds rounds, const uint4* points, u32 least_width) {
  const u32 worker = static_cast<u32>(global_thread()), workers = rounds.workers;
  uint4* const sums = static_cast<uint4*>(rounds.sums) + worker;
  uint4* const products = static_cast<uint4*>(rounds.products) + worker;
  uint4* const mine = shared_memory<uint4>() + threadIdx.x;
  const auto is_made = [&](u32 round) { return rounds.width[round] >= least_width; };
  const auto tasks_in = [&](u32 round) {  // of this worker
    const u32 width = rounds.width[round];
    return width >= least_width && width > worker ? (width - worker - 1) / workers + 1 : 0;
  };

  Fp product = fp_one();
  const auto open = [&](u32 k, const AffinePoint& sum, const Fp& x, u32 value) {
    Fp divisor = x - sum.x;
    if (is_rare(sum.x, x, divisor)) divisor = rare_divisor(sum, {x, signed_y(point_of(points, value), value)});
    store_column(products + std::size_t{k} * fp_words * workers, workers, product);
    product = product * divisor;
  };
  const auto store_sum = [&](u32 k, const AffinePoint& sum) {
    uint4* const at = sums + std::size_t{k} * affine_words<G1> * workers;
    store_column(at, workers, sum.x);
    store_column(at + fp_words * workers, workers, sum.y);
  };

  u32 round = 0;
  if (is_made(0)) {  // copies
    const u32 count = tasks_in(0), count_next = tasks_in(1);
    for (u32 k = 0; k < count; ++k) {
      const u32 value = rounds.values[rounds.start[0] + k * workers + worker];
      const uint4* const point = point_of(points, value);
      const AffinePoint sum{load_fp(point), signed_y(point, value)};
      store_sum(k, sum);
      if (k >= count_next) continue;
      const u32 next = rounds.values[rounds.start[1] + k * workers + worker];
      open(k, sum, load_fp(point_of(points, next)), next);
    }
    round = 1;
  }
  for (; is_made(round); ++round) {
    const u32 count = tasks_in(round), count_next = tasks_in(round + 1);
    const u32* const values = rounds.values + rounds.start[round] + worker;
    const u32* const next_values = rounds.values + rounds.start[round + 1] + worker;
    const bool down = round % 2 != 0;
    const auto task = [&](u32 i) { return down ? count - 1 - i : i; };
    const auto value_of = [&](u32 i) { return i < count ? values[task(i) * workers] : 0; };
    const auto next_value_of = [&](u32 i) {
      return i < count && task(i) < count_next ? next_values[task(i) * workers] : 0;
    };
    const auto slot = [&](u32 i) { return Slot<Threads>{mine + i % Slots * (Slot<Threads>::words * Threads)}; };
    const auto fetch = [&](u32 i, u32 value, u32 next) {
      if (i < count) slot(i).fetch(points, value, task(i) < count_next, next);
      close_copy_group();
    };
    u32 value[Slots + 1] = {}, next[Slots + 1] = {};  // of i, i + 1, …
    PINION_UNROLL
    for (unsigned ahead = 0; ahead <= Slots; ++ahead) {
      value[ahead] = value_of(ahead);
      next[ahead] = next_value_of(ahead);
      if (ahead < Slots) fetch(ahead, value[ahead], next[ahead]);
    }
    Fp inverse = inverted(product);
    product = fp_one();
    Fp ax, before, ay;
    const auto load = [&](u32 k) {
      const uint4* const at = sums + std::size_t{k} * affine_words<G1> * workers;
      ax = load_column(at, workers);
      before = load_column(products + std::size_t{k} * fp_words * workers, workers);
      ay = load_column(at + fp_words * workers, workers);
    };
    if (Ahead && count > 0) load(task(0));
    PINION_UNROLL_BY(1)
    for (u32 i = 0; i < count; ++i) {
      const u32 k = task(i);
      if (!Ahead) load(k);
      wait_copies<Slots - 1>();
      const Slot<Threads> points_here = slot(i);
      const Fp own = inverse * before;
      const Fp bx = points_here.x();
      Fp divisor = bx - ax;
      AffinePoint sum;
      const bool rare = is_rare(ax, bx, divisor);
      const Fp by = negate_if(points_here.y(), (value[0] & negative) != 0);
      if (rare) {
        divisor = rare_divisor({ax, ay}, {bx, by});
        sum = rare_sum({ax, ay}, {bx, by}, own);
      } else {
        const Fp slope = own * (by - ay);
        sum.x = square(slope) - ax - bx;
        sum.y = slope * (ax - sum.x) - ay;
      }
      inverse = inverse * divisor;
      store_sum(k, sum);
      if (Ahead) load(task(i + 1 < count ? i + 1 : i));
      const Fp next_x = points_here.next_x();
      fetch(i + Slots, value[Slots], next[Slots]);
      if (k < count_next) open(k, sum, next_x, next[0]);
      PINION_UNROLL
      for (unsigned ahead = 0; ahead < Slots; ++ahead) {
        value[ahead] = value[ahead + 1];
        next[ahead] = next[ahead + 1];
      }
      value[Slots] = value_of(i + Slots + 1);
      next[Slots] = next_value_of(i + Slots + 1);
    }
  }
  if (worker == 0) *rounds.made = round;
}

}  // namespace pinion::cuda::msm_steps
