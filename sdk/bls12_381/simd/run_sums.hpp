// Sums of runs of points, all at once: in each round every run adds its neighbours in pairs, all pairs of all runs
// sharing one inversion, until one point a run is left. No schedule of conflicts is needed, and any distribution of
// lengths is fine. For one thread; its buffers are kept from call to call.
#pragma once

#include <cstdint>
#include <pinion/bls12_381/curve.hpp>
#include <span>
#include <vector>

#include "aligned_buffer.hpp"
#include "kernels.hpp"

namespace pinion::bls::simd {

template <class Field>
const PointKernels& point_kernels(const Kernels& kernels);
template <>
inline const PointKernels& point_kernels<Fp>(const Kernels& kernels) {
  return kernels.g1;
}
template <>
inline const PointKernels& point_kernels<Fp2>(const Kernels& kernels) {
  return kernels.g2;
}

template <class Field>
class RunSums {
 public:
  // For calls with at most `most` refs.
  RunSums(const Kernels& kernels, std::size_t most);
  static std::size_t bytes(const Kernels& kernels, std::size_t most);

  // sums[k] = the sum of the next lengths[k] refs; no refs make infinity. The lengths add up to refs.size(). [any]
  void sum(const Affine<Field>* points, std::span<const PointRef> refs, std::span<const std::uint32_t> lengths,
           std::span<Affine<Field>> sums);

 private:
  struct Run {
    std::uint32_t number, length;
  };
  struct Level {  // what a round leaves for the next: points, and per run, in order, which of them
    AlignedBuffer<Affine<Field>> points;
    std::vector<PointRef> refs;
  };
  static std::size_t level_points(std::size_t most) { return most * 2 / 3 + 2; }  // a run of three leaves two

  // One round: pairs to add and singles to keep, into `next`; runs that are down to one point go to `sums`.
  // Returns how many pairs there were.
  std::size_t round(const Affine<Field>* points, const PointRef* refs, Level& next, std::span<Affine<Field>> sums);

  const PointKernels& kernels_;
  std::vector<Run> active_;
  std::vector<PointRef> pairs_;
  Level levels_[2];
  AlignedBuffer<std::uint8_t> scratch_;
};

// The point a ref names.
template <class Field>
Affine<Field> named_point(const Affine<Field>* points, PointRef ref) {
  const Affine<Field>& point = points[ref & ~negated_point];
  return (ref & negated_point) != 0 && !point.is_infinity() ? -point : point;
}

template <class Field>
const std::uint64_t* words(const Affine<Field>* points) {
  return reinterpret_cast<const std::uint64_t*>(points);
}
template <class Field>
std::uint64_t* words(Affine<Field>* points) {
  return reinterpret_cast<std::uint64_t*>(points);
}

}  // namespace pinion::bls::simd
