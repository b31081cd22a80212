#include "run_sums.hpp"

namespace pinion::bls::simd {

template <class Field>
RunSums<Field>::RunSums(const Kernels& kernels, std::size_t most)
    : kernels_(point_kernels<Field>(kernels)), scratch_(kernels_.scratch_bytes) {
  pairs_.reserve(most);
  for (Level& level : levels_) {
    level.points = AlignedBuffer<Affine<Field>>(level_points(most));
    level.refs.reserve(most);
  }
}

template <class Field>
std::size_t RunSums<Field>::bytes(const Kernels& kernels, std::size_t most) {
  return point_kernels<Field>(kernels).scratch_bytes + 2 * level_points(most) * sizeof(Affine<Field>) +
         most * (3 * sizeof(PointRef) + sizeof(Run));
}

template <class Field>
void RunSums<Field>::sum(const Affine<Field>* points, std::span<const PointRef> refs,
                         std::span<const std::uint32_t> lengths, std::span<Affine<Field>> sums) {
  active_.clear();
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    if (lengths[k] == 0) sums[k] = Affine<Field>::infinity();
    if (lengths[k] != 0) active_.push_back({static_cast<std::uint32_t>(k), lengths[k]});
  }
  const PointRef* now = refs.data();
  for (unsigned side = 0;; side ^= 1) {
    Level& next = levels_[side];
    const std::size_t pairs = round(points, now, next, sums);
    if (pairs == 0) return;
    kernels_.add_pairs(words(points), pairs_.data(), pairs, words(next.points.data()), scratch_.data());
    points = next.points.data();
    now = next.refs.data();
  }
}

template <class Field>
std::size_t RunSums<Field>::round(const Affine<Field>* points, const PointRef* refs, Level& next,
                                  std::span<Affine<Field>> sums) {
  std::size_t pairs = 0;
  for (const Run& run : active_) pairs += run.length / 2;
  pairs_.clear();
  next.refs.clear();
  PointRef sum = 0, single = static_cast<PointRef>(pairs);  // places in next.points: sums of pairs, then the rest
  std::size_t kept = 0;
  for (const Run run : active_) {
    const std::uint32_t even = run.length & ~1U;
    if (run.length == 1) {
      sums[run.number] = named_point(points, *refs++);
      continue;
    }
    pairs_.insert(pairs_.end(), refs, refs + even);
    for (std::uint32_t i = 0; i < even; i += 2) next.refs.push_back(sum++);
    if (even != run.length) {
      next.points[single] = named_point(points, refs[even]);
      next.refs.push_back(single++);
    }
    refs += run.length;
    active_[kept++] = {run.number, (run.length + 1) / 2};
  }
  active_.resize(kept);
  return pairs;
}

template class RunSums<Fp>;
template class RunSums<Fp2>;

}  // namespace pinion::bls::simd
