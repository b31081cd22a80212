// From the points of a window, sorted by bucket, to the window's sum: first each bucket's sum B_k, in blocks of equal
// size whatever the buckets' lengths; then sum of k B_k, in segments that run side by side.
#pragma once

#include <cstdint>
#include <pinion/bls12_381/curve.hpp>
#include <pinion/executor.hpp>
#include <span>
#include <vector>

#include "run_sums.hpp"

namespace pinion::bls::simd {

template <class Field>
class BucketSums {
 public:
  static constexpr std::size_t block = 16384;  // refs a worker sums at once: few inversions, and still in its cache

  BucketSums(std::size_t points, std::uint32_t buckets, unsigned width, const Kernels& kernels);
  static std::uint64_t bytes(std::size_t points, std::uint32_t buckets, unsigned width, const Kernels& kernels);

  // What remains of a window: per segment of `length` buckets the plain sum and the sum weighted 1 … length.
  struct Segments {
    std::uint32_t length;
    std::vector<Affine<Field>> plain, weighted;
    // sum over all buckets of (bucket + 1) * its sum [any]
    Jacobian<Field> total() const;
  };

  // refs and begin as in BucketSort. [worker]
  Segments sum(const Affine<Field>* bases, std::span<const PointRef> refs, std::span<const std::uint32_t> begin,
               Executor& executor);

 private:
  // A part of a bucket that a block's border cut.
  struct Piece {
    std::uint32_t bucket;
    Affine<Field> sum;
  };
  struct Worker {
    RunSums<Field> runs;
    std::vector<std::uint32_t> lengths;
    std::vector<Affine<Field>> sums;
    std::vector<PointRef> refs;
    AlignedBuffer<std::uint8_t> scratch;
  };

  void sum_block(Worker& worker, const Affine<Field>* bases, std::span<const PointRef> refs,
                 std::span<const std::uint32_t> begin, std::size_t number);
  void join_pieces();
  void weigh(Worker& worker, std::uint32_t first, std::uint32_t last);
  Affine<Field>* running() { return points_.data() + buckets_; }               // one per segment
  Affine<Field>* weighted() { return points_.data() + buckets_ + segments_; }  // one per segment

  std::uint32_t buckets_, length_, segments_;
  const PointKernels& kernels_;
  AlignedBuffer<Affine<Field>> points_;  // buckets, running sums, weighted sums: what refs of weigh() index
  std::vector<Piece> pieces_;            // two places a block; bucket == buckets_ where unused
  std::vector<Worker> workers_;
};

}  // namespace pinion::bls::simd
