#include "bucket_sums.hpp"

#include <algorithm>

#include "crew.hpp"

namespace pinion::bls::simd {
namespace {

// Segments run side by side in batches; what is left of each is added up one by one. 32 buckets a segment keep both
// cheap. With few buckets a batch is mostly its inversion, and every bucket a segment of its own is cheaper.
std::uint32_t segment_length(std::uint32_t buckets) {
  return buckets < 256 ? 1 : 32;
}

}  // namespace

template <class Field>
BucketSums<Field>::BucketSums(std::size_t points, std::uint32_t buckets, unsigned width, const Kernels& kernels)
    : buckets_(buckets),
      length_(segment_length(buckets)),
      segments_(buckets / length_),
      kernels_(point_kernels<Field>(kernels)),
      points_(buckets_ + 2 * segments_),
      pieces_(2 * (points / block + 1)) {
  workers_.reserve(width);
  for (unsigned i = 0; i < width; ++i)
    workers_.push_back(
        {RunSums<Field>(kernels, block), {}, {}, {}, AlignedBuffer<std::uint8_t>(kernels_.scratch_bytes)});
}

template <class Field>
std::uint64_t BucketSums<Field>::bytes(std::size_t points, std::uint32_t buckets, unsigned width,
                                       const Kernels& kernels) {
  const std::uint64_t segments = buckets / segment_length(buckets);
  const std::uint64_t worker = RunSums<Field>::bytes(kernels, block) + point_kernels<Field>(kernels).scratch_bytes +
                               block * (sizeof(std::uint32_t) + sizeof(Affine<Field>)) + 8 * segments;
  return (buckets + 2 * segments) * sizeof(Affine<Field>) + 2 * (points / block + 1) * sizeof(Piece) + width * worker;
}

template <class Field>
typename BucketSums<Field>::Segments BucketSums<Field>::sum(const Affine<Field>* bases, std::span<const PointRef> refs,
                                                            std::span<const std::uint32_t> begin, Executor& executor) {
  std::fill(points_.data(), points_.data() + buckets_, Affine<Field>::infinity());
  for (Piece& piece : pieces_) piece.bucket = buckets_;
  share(executor, (refs.size() + block - 1) / block,
        [&](std::uint64_t worker, std::uint64_t number) { sum_block(workers_[worker], bases, refs, begin, number); });
  join_pieces();
  const std::uint64_t parts = std::min<std::uint64_t>(executor.width(), segments_);
  executor.for_each(parts, [&](std::uint64_t part) {
    weigh(workers_[part], static_cast<std::uint32_t>(segments_ * part / parts),
          static_cast<std::uint32_t>(segments_ * (part + 1) / parts));
  });
  return {length_, {running(), running() + segments_}, {weighted(), weighted() + segments_}};
}

template <class Field>
void BucketSums<Field>::sum_block(Worker& worker, const Affine<Field>* bases, std::span<const PointRef> refs,
                                  std::span<const std::uint32_t> begin, std::size_t number) {
  const auto from = static_cast<std::uint32_t>(number * block);
  const auto to = static_cast<std::uint32_t>(std::min(refs.size(), number * block + block));
  const auto first = static_cast<std::size_t>(std::upper_bound(begin.begin(), begin.end(), from) - begin.begin() - 1);
  worker.lengths.clear();
  std::size_t last = first;  // the bucket that holds ref to - 1
  for (; begin[last] < to; ++last)
    worker.lengths.push_back(std::min(begin[last + 1], to) - std::max(begin[last], from));
  --last;
  worker.sums.resize(worker.lengths.size());
  worker.runs.sum(bases, refs.subspan(from, to - from), worker.lengths, worker.sums);
  for (std::size_t bucket = first; bucket <= last; ++bucket) {
    const bool cut_before = begin[bucket]<from, cut_after = begin[bucket + 1]> to;
    const Affine<Field>& sum = worker.sums[bucket - first];
    if (cut_before || cut_after)
      pieces_[2 * number + (cut_before ? 0 : 1)] = {static_cast<std::uint32_t>(bucket), sum};
    else
      points_[bucket] = sum;
  }
}

// Pieces stand in bucket order; those of one bucket are neighbours.
template <class Field>
void BucketSums<Field>::join_pieces() {
  for (std::size_t i = 0; i < pieces_.size();) {
    const std::uint32_t bucket = pieces_[i].bucket;
    if (bucket == buckets_) {
      ++i;
      continue;
    }
    Jacobian<Field> sum = Jacobian<Field>::infinity();
    for (; i < pieces_.size() && (pieces_[i].bucket == bucket || pieces_[i].bucket == buckets_); ++i)
      if (pieces_[i].bucket == bucket) sum += pieces_[i].sum;
    points_[bucket] = sum.to_affine();
  }
}

// For the segments [first, last) at once: from the top bucket down, running += bucket, weighted += running.
template <class Field>
void BucketSums<Field>::weigh(Worker& worker, std::uint32_t first, std::uint32_t last) {
  const std::uint32_t count = last - first;
  for (std::uint32_t s = first; s < last; ++s)
    running()[s] = weighted()[s] = points_[std::size_t{s} * length_ + length_ - 1];
  worker.refs.resize(2 * std::size_t{count});
  for (std::uint32_t k = length_ - 1; k-- > 0;) {
    for (std::uint32_t i = 0; i < count; ++i) {
      worker.refs[2 * i] = buckets_ + first + i;
      worker.refs[2 * i + 1] = (first + i) * length_ + k;
    }
    kernels_.add_pairs(words(points_.data()), worker.refs.data(), count, words(running() + first),
                       worker.scratch.data());
    for (std::uint32_t i = 0; i < count; ++i) {
      worker.refs[2 * i] = buckets_ + segments_ + first + i;
      worker.refs[2 * i + 1] = buckets_ + first + i;
    }
    kernels_.add_pairs(words(points_.data()), worker.refs.data(), count, words(weighted() + first),
                       worker.scratch.data());
  }
}

// Bucket k = s * length + j counts s * length + (j + 1) times.
template <class Field>
Jacobian<Field> BucketSums<Field>::Segments::total() const {
  Jacobian<Field> above = Jacobian<Field>::infinity(), by_number = above, out = above;
  for (std::size_t s = plain.size(); s-- > 0;) {
    out += weighted[s];
    by_number += above;  // in the end: sum of s * plain[s]
    above += plain[s];
  }
  for (std::uint32_t factor = length; factor > 1; factor /= 2) by_number = by_number.doubled();
  return out + by_number;
}

template class BucketSums<Fp>;
template class BucketSums<Fp2>;

}  // namespace pinion::bls::simd
