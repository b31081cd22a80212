#include "msm.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "bucket_sort.hpp"
#include "bucket_sums.hpp"
#include "crew.hpp"

namespace pinion::bls::simd {
namespace {

// Recoded scalars lie where the scalars were.
static_assert(sizeof(Fr) == sizeof(Limbs));

std::span<Limbs> recode(std::span<Fr> scalars, const SignedDigits& digits, Executor& executor) {
  constexpr std::uint64_t step = 1 << 16;
  share(executor, (scalars.size() + step - 1) / step, [&](std::uint64_t, std::uint64_t item) {
    for (std::uint64_t i = item * step; i < scalars.size() && i < (item + 1) * step; ++i)
      scalars[i].limb = digits.recode(scalars[i]);
  });
  return {reinterpret_cast<Limbs*>(scalars.data()), scalars.size()};
}

// Below this many scalars a window's passes are shorter than waking threads for them, so each thread has windows of its
// own: measured on two threads (bench-cpu, msm_*/10).
constexpr std::uint64_t one_thread_a_window = 1 << 12;

template <class Field>
using Totals = std::vector<Jacobian<Field>>;

template <class Field>
Totals<Field> small_windows(std::span<const Affine<Field>> bases, std::span<const Limbs> recoded,
                            std::span<const std::uint32_t> indices, const SignedDigits& digits, Executor& executor,
                            const Kernels& kernels) {
  Totals<Field> totals(digits.windows());
  executor.for_each(totals.size(), [&](std::uint64_t w) {
    executor.check();
    SerialExecutor alone;
    BucketSort sorted(recoded.size(), digits, 1);
    BucketSums<Field> sums(recoded.size(), digits.buckets(), 1, kernels);
    sorted.sort(recoded, static_cast<unsigned>(w), indices, alone);
    totals[w] = sums.sum(bases.data(), sorted.refs(), sorted.begin(), alone).total();
  });
  executor.progress(digits.windows(), digits.windows());
  return totals;
}

template <class Field>
Totals<Field> large_windows(std::span<const Affine<Field>> bases, std::span<const Limbs> recoded,
                            std::span<const std::uint32_t> indices, const SignedDigits& digits, Executor& executor,
                            const Kernels& kernels) {
  BucketSort sorted(recoded.size(), digits, executor.width());
  BucketSums<Field> sums(recoded.size(), digits.buckets(), executor.width(), kernels);
  std::vector<typename BucketSums<Field>::Segments> segments;
  for (unsigned w = 0; w < digits.windows(); ++w) {
    executor.check();
    sorted.sort(recoded, w, indices, executor);
    segments.push_back(sums.sum(bases.data(), sorted.refs(), sorted.begin(), executor));
    executor.progress(w + 1, digits.windows());
  }
  Totals<Field> totals(digits.windows());
  executor.for_each(totals.size(), [&](std::uint64_t w) { totals[w] = segments[w].total(); });
  return totals;
}

template <class Field>
Jacobian<Field> multiply(std::span<const Affine<Field>> bases, std::span<const std::uint32_t> indices,
                         std::span<Fr> scalars, Executor& executor, const Kernels& kernels) {
  if (bases.size() >= negated_point) throw std::length_error("msm: 2^31 bases or more");
  if (scalars.empty()) return Jacobian<Field>::infinity();
  const SignedDigits digits = SignedDigits::for_count(scalars.size());
  const std::span<const Limbs> recoded = recode(scalars, digits, executor);
  const std::vector<Jacobian<Field>> totals = scalars.size() < one_thread_a_window
                                                  ? small_windows(bases, recoded, indices, digits, executor, kernels)
                                                  : large_windows(bases, recoded, indices, digits, executor, kernels);
  Jacobian<Field> out = Jacobian<Field>::infinity();
  for (std::size_t w = totals.size(); w-- > 0;) {
    for (unsigned bit = 0; bit < digits.window_bits(); ++bit) out = out.doubled();
    out += totals[w];
  }
  return out;
}

}  // namespace

template <class Field>
Jacobian<Field> msm_in_place(std::span<const Affine<Field>> bases, std::span<Fr> scalars, Executor& executor,
                             const Kernels& kernels) {
  return multiply<Field>(bases.first(scalars.size()), {}, scalars, executor, kernels);
}

template <class Field>
Jacobian<Field> msm_in_place(std::span<const Affine<Field>> bases, std::span<const std::uint32_t> indices,
                             std::span<Fr> scalars, Executor& executor, const Kernels& kernels) {
  return multiply<Field>(bases, indices, scalars, executor, kernels);
}

template <class Field>
Jacobian<Field> msm(std::span<const Affine<Field>> bases, std::span<const Fr> scalars, Executor& executor,
                    const Kernels& kernels) {
  std::vector<Fr> copy(scalars.begin(), scalars.end());
  return msm_in_place<Field>(bases, copy, executor, kernels);
}

template <class Field>
std::uint64_t msm_bytes(std::uint64_t count, unsigned width, const Kernels& kernels) {
  const SignedDigits digits = SignedDigits::for_count(count);
  const std::uint64_t segments = std::uint64_t{digits.windows()} * digits.buckets() / 16 * sizeof(Affine<Field>);
  const bool small = count < one_thread_a_window;
  const std::uint64_t windows_at_once = small ? width : 1;
  const unsigned threads = small ? 1 : width;
  return windows_at_once * (BucketSort::bytes(count, digits, threads) +
                            BucketSums<Field>::bytes(count, digits.buckets(), threads, kernels)) +
         segments + 4096;
}

#define PINION_FOR_FIELD(Field)                                                                                        \
  template Jacobian<Field> msm_in_place(std::span<const Affine<Field>>, std::span<Fr>, Executor&, const Kernels&);     \
  template Jacobian<Field> msm_in_place(std::span<const Affine<Field>>, std::span<const std::uint32_t>, std::span<Fr>, \
                                        Executor&, const Kernels&);                                                    \
  template Jacobian<Field> msm(std::span<const Affine<Field>>, std::span<const Fr>, Executor&, const Kernels&);        \
  template std::uint64_t msm_bytes<Field>(std::uint64_t, unsigned, const Kernels&);
PINION_FOR_FIELD(Fp)
PINION_FOR_FIELD(Fp2)
#undef PINION_FOR_FIELD

}  // namespace pinion::bls::simd
