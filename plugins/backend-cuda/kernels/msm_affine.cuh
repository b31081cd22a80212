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
#include "fp_loose.cuh"
#include "launch.cuh"
#include "msm_rounds.cuh"
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
PINION_DEVICE bool is_negative(u32 value) {
  return (value & negative) != 0;
}
PINION_DEVICE AffinePoint signed_point(const uint4* points, u32 value) {
  const uint4* const point = point_of(points, value);
  return {load_fp(point), negate_if(load_fp(point + fp_words), is_negative(value))};
}

// Whether a and b may be something else than two points with different x, none of them infinity; d = b.x - a.x + 2 p.
// The lowest limbs decide: whoever is called rare without being so is only slow.
PINION_DEVICE bool is_rare(const Fp& ax, const Fp& bx, const Fp& d) {
  using fp_detail::low_limb_of;
  return d.limb[0] == low_limb_of<1> || d.limb[0] == low_limb_of<2> || ax.limb[0] == 0 || bx.limb[0] == 0;
}
// What the slope's numerator is divided by in a + b: never zero. One where there is nothing to divide.
PINION_CALL Fp rare_divisor(const AffinePoint& loose_a, const AffinePoint& b) {
  const AffinePoint a{reduced(loose_a.x), reduced(loose_a.y)};
  if (is_infinity(a) || is_infinity(b)) return fp_one();
  const Fp d = b.x - a.x;
  if (!is_zero(d)) return d;
  const Fp twice_y = a.y + b.y;
  return is_zero(twice_y) ? fp_one() : twice_y;
}
// a + b, from the inverse of rare_divisor.
PINION_CALL AffinePoint rare_sum(const AffinePoint& loose_a, const AffinePoint& b, const Fp& loose_inverse) {
  const AffinePoint a{reduced(loose_a.x), reduced(loose_a.y)};
  const Fp inverse = reduced(loose_inverse);
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

// Points of a thread on their way: its task's sum and product, the point to add now, and x of what the next round adds
// to the same task. Word j of a block's threads side by side.
template <unsigned Threads>
struct Slot {
  static constexpr unsigned words = rounds_words + 3 * fp_words;
  uint4* at;
  PINION_DEVICE void fetch(const uint4* sum, const uint4* point, const uint4* next_point) const {
    copy(0, rounds_words, sum, rounds_step);
    copy(rounds_words, 2 * fp_words, point, 1);
    if (next_point != nullptr) copy(rounds_words + 2 * fp_words, fp_words, next_point, 1);
  }
  PINION_DEVICE Fp sum_x() const { return field(0); }
  PINION_DEVICE Fp sum_y() const { return field(1); }
  PINION_DEVICE Fp product() const { return field(2); }
  PINION_DEVICE Fp x() const { return field(3); }
  PINION_DEVICE Fp y() const { return field(4); }
  PINION_DEVICE Fp next_x() const { return field(5); }

 private:
  PINION_DEVICE Fp field(unsigned i) const { return load_column(at + i * fp_words * Threads, Threads); }
  PINION_DEVICE void copy(unsigned to, unsigned count, const uint4* from, unsigned step) const {
    PINION_UNROLL
    for (unsigned j = 0; j < count; ++j) copy_async(at + (to + j) * Threads, from + j * step);
  }
};

PINION_CALL Fp called_product(Fp a, Fp b) {
  return loose_product(a, b);
}

template <unsigned Threads, unsigned Blocks, unsigned Slots, bool Calls, bool Still>
__global__ void __launch_bounds__(Threads, Blocks)
    rounds_kernel(const Rounds rounds, const uint4* points, u32 least_width) {
  const u32 worker = static_cast<u32>(global_thread()), workers = rounds.workers;
  uint4* const sums = sum_of(rounds, worker, 0);
  const u32 sums_step = workers * rounds_words;
  uint4* const mine = shared_memory<uint4>() + threadIdx.x;
  const auto is_made = [&](u32 round) { return rounds.width[round] >= least_width; };
  const auto tasks_in = [&](u32 round) {  // of this worker
    const u32 width = rounds.width[round];
    return width >= least_width && width > worker ? (width - worker - 1) / workers + 1 : 0;
  };
  const auto product_of = [](const Fp& a, const Fp& b) {
    if constexpr (Calls) return called_product(a, b);
    return loose_product(a, b);
  };

  Fp product = fp_one();  // below 2 p, as everything here that is not a point given
  const auto open = [&](uint4* at, const AffinePoint& sum, const Fp& x, u32 value) {
    Fp divisor = loose_difference<2>(x, sum.x);
    if (is_rare(sum.x, x, divisor)) divisor = rare_divisor(sum, signed_point(points, value));
    store_column(at + 2 * fp_words * rounds_step, rounds_step, product);
    product = product_of(divisor, product);
  };
  const auto store_sum = [&](uint4* at, const AffinePoint& sum) {
    store_column(at, rounds_step, sum.x);
    store_column(at + fp_words * rounds_step, rounds_step, sum.y);
  };

  if constexpr (Still) {  // arithmetic alone: the same numbers over and over
    for (u32 j = 0; j < Slots * Slot<Threads>::words; ++j) {
      const u32 word = (worker + 1) * 2654435761U + j * 40503U;
      mine[j * Threads] = uint4{word, word * 7, word * 11, word >> 5};
    }
  }
  u32 round = 0;
  if (is_made(0)) {  // copies
    const u32 count = tasks_in(0), count_next = tasks_in(1);
    for (u32 k = 0; k < count; ++k) {
      uint4* const at = sums + std::size_t{k} * sums_step;
      const AffinePoint sum = signed_point(points, rounds.values[rounds.start[0] + k * workers + worker]);
      store_sum(at, sum);
      if (k >= count_next) continue;
      const u32 next = rounds.values[rounds.start[1] + k * workers + worker];
      open(at, sum, load_fp(point_of(points, next)), next);
    }
    round = 1;
  }
  for (; is_made(round); ++round) {
    const u32 count = tasks_in(round), count_next = tasks_in(round + 1);
    const u32* const values = rounds.values + rounds.start[round] + worker;
    const u32* const next_values = rounds.values + rounds.start[round + 1] + worker;
    const u32 turn = round % 2 != 0 ? ~0U : 1;  // of k, from one task to the next
    const auto value_of = [&](u32 k) { return k < count && !Still ? values[k * workers] : 0; };
    const auto next_value_of = [&](u32 k) { return k < count_next && !Still ? next_values[k * workers] : 0; };
    const auto fetch = [&](unsigned slot, u32 k, u32 value, u32 next) {
      if (k < count && !Still)
        Slot<Threads>{mine + slot * (Slot<Threads>::words * Threads)}.fetch(
            sums + std::size_t{k} * sums_step, point_of(points, value),
            k < count_next ? point_of(points, next) : nullptr);
      close_copy_group();
    };
    u32 k = round % 2 != 0 ? count - 1 : 0;
    u32 value[Slots + 1] = {}, next[Slots + 1] = {};  // of k, k + turn, …
    fence();                                          // the copies read what the last sweep has stored
    PINION_UNROLL
    for (unsigned ahead = 0; ahead <= Slots; ++ahead) {
      value[ahead] = value_of(k + ahead * turn);
      next[ahead] = next_value_of(k + ahead * turn);
      if (ahead < Slots) fetch(ahead, k + ahead * turn, value[ahead], next[ahead]);
    }
    Fp inverse = inverted(reduced(product));
    product = fp_one();
    unsigned slot = 0;
    PINION_UNROLL_BY(1)
    for (; k < count; k += turn) {
      wait_copies<Slots - 1>();
      const Slot<Threads> here{mine + slot * (Slot<Threads>::words * Threads)};
      const Fp own = product_of(inverse, here.product());
      const AffinePoint a{here.sum_x(), here.sum_y()};
      const Fp bx = here.x(), by = here.y(), next_x = here.next_x();
      Fp divisor = loose_difference<2>(bx, a.x);
      AffinePoint sum;
      if (is_rare(a.x, bx, divisor)) {
        const AffinePoint b{bx, negate_if(by, is_negative(value[0]))};
        divisor = rare_divisor(a, b);
        sum = rare_sum(a, b, own);
      } else {
        const Fp slope = product_of(loose_difference<3>(by, is_negative(value[0]), a.y), own);
        sum.x = signed_difference(loose_square(slope), loose_sum(a.x, bx));  // > -3 p
        add_modulus_if_negative<2>(sum.x);
        add_modulus_if_negative<1>(sum.x);
        sum.y = signed_difference(product_of(loose_difference<2>(a.x, sum.x), slope), a.y);
        add_modulus_if_negative<2>(sum.y);
      }
      inverse = product_of(divisor, inverse);
      uint4* const at = Still ? here.at : sums + std::size_t{k} * sums_step;
      store_sum(at, sum);
      fetch(slot, k + Slots * turn, value[Slots], next[Slots]);
      if (k < count_next) open(at, sum, next_x, next[0]);
      PINION_UNROLL
      for (unsigned ahead = 0; ahead < Slots; ++ahead) {
        value[ahead] = value[ahead + 1];
        next[ahead] = next[ahead + 1];
      }
      value[Slots] = value_of(k + (Slots + 1) * turn);
      next[Slots] = next_value_of(k + (Slots + 1) * turn);
      slot = slot + 1 < Slots ? slot + 1 : 0;
    }
  }
  if (worker == 0) *rounds.made = round;
}

}  // namespace pinion::cuda::msm_steps
