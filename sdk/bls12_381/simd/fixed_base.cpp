#include "fixed_base.hpp"

#include <algorithm>
#include <cassert>

#include "aligned_buffer.hpp"

namespace pinion::bls::simd {

namespace {

template <class Field>
const PointKernels& kernels_of(const Kernels& kernels) {
  return sizeof(Field) == sizeof(Fp) ? kernels.g1 : kernels.g2;
}

template <class Field>
const std::uint64_t* words(const Affine<Field>* points) {
  return reinterpret_cast<const std::uint64_t*>(points);
}
template <class Field>
std::uint64_t* words(Affine<Field>* points) {
  return reinterpret_cast<std::uint64_t*>(points);
}

// Scalars worked on at once: their sums of pairs stay in the L2 cache.
template <class Field>
constexpr std::size_t batch_size = std::size_t{512} * sizeof(Fp) / sizeof(Field);

}  // namespace

// What a batch of scalars is computed in.
template <class Field>
struct FixedBaseTable<Field>::Workspace {
  Workspace(std::size_t batch, unsigned windows, const PointKernels& kernels)
      : refs(batch * windows), sums(batch * ((windows + 1) / 2)), scratch(kernels.scratch_bytes) {}

  AlignedBuffer<PointRef> refs;       // of pairs
  AlignedBuffer<Affine<Field>> sums;  // sum j of scalar i stands at j * (size of the batch) + i
  AlignedBuffer<std::uint8_t> scratch;
};

template <class Field>
FixedBaseTable<Field>::FixedBaseTable(const Affine<Field>& base, unsigned window_bits, Executor& executor,
                                      const Kernels& kernels)
    : kernels_(&kernels_of<Field>(kernels)), digits_(window_bits), entries_(1 + digits_.windows() * window_entries()) {
  assert(window_bits >= 2 && window_bits <= 20);
  std::vector<Jacobian<Field>> bases{base};
  while (bases.size() < digits_.windows()) {
    Jacobian<Field> next = bases.back();
    for (unsigned i = 0; i < window_bits; ++i) next = next.doubled();
    bases.push_back(next);
  }
  std::vector<Affine<Field>> affine(bases.size());
  batch_to_affine<Field>(bases, affine);
  executor.for_each(digits_.windows(), [&](std::uint64_t w) {
    if (!executor.cancelled()) fill_window(1 + w * window_entries(), affine[w]);
  });
  executor.check();
}

template <class Field>
void FixedBaseTable<Field>::fill_window(std::size_t first, const Affine<Field>& base) {
  AlignedBuffer<std::uint8_t> scratch(kernels_->scratch_bytes);
  AlignedBuffer<PointRef> refs(window_entries());
  entries_[first] = base;
  // n entries make the next n: each plus the last of them.
  for (std::size_t n = 1; n < window_entries(); n *= 2) {
    for (std::size_t i = 0; i < n; ++i) {
      refs[2 * i] = static_cast<PointRef>(first + i);
      refs[2 * i + 1] = static_cast<PointRef>(first + n - 1);
    }
    kernels_->add_pairs(words(entries_.data()), refs.data(), n, words(&entries_[first + n]), scratch.data());
  }
}

template <class Field>
unsigned FixedBaseTable<Field>::best_window_bits(std::uint64_t count) {
  constexpr unsigned most = sizeof(Field) == sizeof(Fp) ? 16 : 15;
  const auto additions = [&](unsigned bits) {
    return (Fr::bits + bits - 1) / bits * (count + (std::uint64_t{1} << (bits - 1)));
  };
  unsigned best = 2;
  for (unsigned bits = 3; bits <= most; ++bits)
    if (additions(bits) < additions(best)) best = bits;
  return best;
}

template <class Field>
void FixedBaseTable<Field>::multiply(std::span<const Fr> scalars, std::span<Affine<Field>> out) const {
  assert(scalars.size() == out.size());
  if (scalars.empty()) return;
  const std::size_t batch = std::min(batch_size<Field>, scalars.size());
  Workspace workspace(batch, digits_.windows(), *kernels_);
  for (std::size_t at = 0; at < scalars.size(); at += batch) {
    const std::size_t count = std::min(batch, scalars.size() - at);
    multiply_batch(scalars.subspan(at, count), out.subspan(at, count), workspace);
  }
}

template <class Field>
void FixedBaseTable<Field>::multiply_batch(std::span<const Fr> scalars, std::span<Affine<Field>> out,
                                           Workspace& workspace) const {
  const std::size_t n = scalars.size();
  PointRef* const refs = workspace.refs.data();
  Affine<Field>* const sums = workspace.sums.data();
  void* const scratch = workspace.scratch.data();
  std::size_t terms = digits_.windows(), half = (terms + 1) / 2;
  // The first round takes its pairs, windows j and j + half, from the table; an odd one out is copied.
  for (std::size_t i = 0; i < n; ++i) {
    const Limbs recoded = digits_.recode(scalars[i]);
    for (std::size_t w = 0; w < terms; ++w) {
      const std::size_t pair = (w < half ? w : w - half) * n + i;
      const PointRef ref = table_ref(recoded, static_cast<unsigned>(w));
      if (w + 1 == half && terms % 2 == 1) {
        const Affine<Field>& entry = entries_[ref & ~negated_point];
        sums[pair] = (ref & negated_point) != 0 ? -entry : entry;
      } else {
        refs[2 * pair + (w < half ? 0 : 1)] = ref;
      }
    }
  }
  kernels_->add_pairs(words(entries_.data()), refs, terms / 2 * n, words(sums), scratch);
  // Later rounds add sum j + half to sum j, in place, the last one into `out`.
  for (terms = half; terms > 1; terms = half) {
    half = (terms + 1) / 2;
    const std::size_t pairs = terms / 2 * n;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      refs[2 * pair] = static_cast<PointRef>(pair);
      refs[2 * pair + 1] = static_cast<PointRef>(pair + half * n);
    }
    kernels_->add_pairs(words(sums), refs, pairs, words(half == 1 ? out.data() : sums), scratch);
  }
}

template class FixedBaseTable<Fp>;
template class FixedBaseTable<Fp2>;

}  // namespace pinion::bls::simd
