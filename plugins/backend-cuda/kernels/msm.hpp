// Sums of multiples of points, sum_i s_i P_i, in G1 and G2: Pippenger's buckets over signed digits. Any size, any mix
// of scalars and points (0, duplicates, opposites, infinity). Also the sum of selected points without scalars.
//
// The digits of a group of windows are sorted by bucket; a bucket's points are added by one thread (a pair of lanes in
// G2), long buckets by several; tasks are taken in order of length, so that a warp's lanes end together. Where there
// are many, a thread adds points to all of its tasks by turns, and divides for all at once. Buckets are then reduced to
// one point a window. The last step, sum_w 2^offset S_w, is the host's (msm_finish.hpp): a few hundred
// doublings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "arena.hpp"
#include "parameters.hpp"
#include "status.hpp"

namespace pinion::cuda {

struct Fr;
enum class Curve { g1, g2 };
constexpr std::size_t affine_bytes(Curve curve) {
  return curve == Curve::g1 ? 96 : 192;
}
constexpr std::size_t xyzz_bytes(Curve curve) {
  return curve == Curve::g1 ? 192 : 384;
}

// How 256 bits are cut: `count` windows of `bits` or `bits - 1`, the wider ones first.
struct Windows {
  unsigned count = 0, bits = 0, wide = 0;
  unsigned width(unsigned window) const { return window < wide ? bits : bits - 1; }
  unsigned offset(unsigned window) const { return window * (bits - 1) + (window < wide ? window : wide); }
};
Windows windows_for(Curve curve, std::size_t size);

struct MsmInput {
  const void* points = nullptr;                // affine, in device memory
  const std::uint32_t* point_index = nullptr;  // size entries: which point goes with scalar i; null: point i
  const Fr* scalars = nullptr;                 // Montgomery form, reduced
  std::size_t size = 0;                        // below 2^28
  std::uint32_t workers = rounds_workers;      // threads that add points in rounds; small tests have fewer
};

inline constexpr unsigned max_windows = 64;
struct MsmOutput {
  Windows windows;
  const void* sums = nullptr;  // XYZZ, one a window; in the arena
};

// Takes scratch from the arena; what `out.sums` points to and the scratch stay taken until the caller's scope ends (the
// work is only enqueued). [worker]
Status msm(Curve curve, const MsmInput& input, Arena& arena, MsmOutput& out, Stream stream);
// The least arena for an input of that size; more lets several windows be sorted at once.
std::size_t msm_least_bytes(Curve curve, std::size_t size);
// The most that helps.
std::size_t msm_most_bytes(Curve curve, std::size_t size);

// sum_i points[list[i]] (the top bit of an entry negates) over *count entries, a number in device memory, at most
// max_count: one XYZZ point at `out`, in the arena.
Status sum_of_points(Curve curve, const void* points, const std::uint32_t* list, const std::uint32_t* count,
                     std::size_t max_count, Arena& arena, const void*& out, Stream stream);
// What it takes of the arena. [any]
std::size_t sum_of_points_bytes(Curve curve, std::size_t max_count);

}  // namespace pinion::cuda
