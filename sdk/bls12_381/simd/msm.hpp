// Multi-scalar multiplication: the sum of scalars[i] * bases[i], for provers. Pippenger's method with signed digits; a
// window's points are sorted by bucket and summed by batched affine additions (run_sums.hpp). Complete: any scalars,
// repeated, opposite and infinite bases. Variable time. For a handful of points bls::simple_msm is simpler.
// Sources: Pippenger 1976; Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification" (2012) for sums
// by bucket; batched affine buckets as in Aztec's and gnark's provers.
#pragma once

#include <cstdint>
#include <functional>
#include <pinion/bls12_381/curve.hpp>
#include <pinion/executor.hpp>
#include <span>
#include <vector>

#include "kernels.hpp"

namespace pinion::bls::simd {

// Sum of scalars[i] * bases[i]; as many bases as scalars, below 2^31. Overwrites `scalars`: they become its working
// form, which saves 32 bytes a point. Reports windows as progress. Throws Cancelled, std::bad_alloc. [worker]
template <class Field>
Jacobian<Field> msm_in_place(std::span<const Affine<Field>> bases, std::span<Fr> scalars, Executor& executor,
                             const Kernels& kernels = best_kernels());

// The same over a selection: sum of scalars[k] * bases[indices[k]]; every index below bases.size() < 2^31.
template <class Field>
Jacobian<Field> msm_in_place(std::span<const Affine<Field>> bases, std::span<const std::uint32_t> indices,
                             std::span<Fr> scalars, Executor& executor, const Kernels& kernels = best_kernels());

// Leaves the scalars alone and works on a copy.
template <class Field>
Jacobian<Field> msm(std::span<const Affine<Field>> bases, std::span<const Fr> scalars, Executor& executor,
                    const Kernels& kernels = best_kernels());

// Heap that msm_in_place takes for `count` scalars on `width` threads, at most. [any]
template <class Field>
std::uint64_t msm_bytes(std::uint64_t count, unsigned width, const Kernels& kernels = best_kernels());

// Names the points of one block: appends refs to the empty list it is given. Called from several threads. [any]
using ListRefs = std::function<void(std::uint64_t block, std::vector<PointRef>& refs)>;

// Sum of the points that `list` names for the blocks 0 … blocks - 1, at most `most` a block; some 10^4 refs a block are
// best. Throws Cancelled, std::bad_alloc. [worker]
template <class Field>
Jacobian<Field> sum_listed(std::span<const Affine<Field>> bases, std::uint64_t blocks, std::size_t most,
                           const ListRefs& list, Executor& executor, const Kernels& kernels = best_kernels());

// Heap that sum_listed takes. [any]
template <class Field>
std::uint64_t sum_listed_bytes(std::uint64_t blocks, std::size_t most, unsigned width,
                               const Kernels& kernels = best_kernels());

// Sum of bases[i] over the ones of `selected` (bit i of 64-bit words, low bit first); ones lie below bases.size().
// [worker]
template <class Field>
Jacobian<Field> sum_selected(std::span<const Affine<Field>> bases, std::span<const std::uint64_t> selected,
                             Executor& executor, const Kernels& kernels = best_kernels());

}  // namespace pinion::bls::simd
