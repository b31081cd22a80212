// Sums of listed points: every worker takes a block and sums its points as one run; few sums are left to add.
#include <algorithm>
#include <bit>

#include "crew.hpp"
#include "msm.hpp"
#include "run_sums.hpp"

namespace pinion::bls::simd {
namespace {

constexpr std::size_t block_words = 512;
constexpr std::size_t block_bits = block_words * 64;

template <class Field>
struct Worker {
  RunSums<Field> runs;
  std::vector<PointRef> refs;
};

}  // namespace

template <class Field>
Jacobian<Field> sum_listed(std::span<const Affine<Field>> bases, std::uint64_t blocks, std::size_t most,
                           const ListRefs& list, Executor& executor, const Kernels& kernels) {
  std::vector<Worker<Field>> workers;
  for (unsigned i = 0; i < executor.width() && i < blocks; ++i) workers.push_back({RunSums<Field>(kernels, most), {}});
  std::vector<Affine<Field>> sums(blocks);
  share(executor, blocks, [&](std::uint64_t worker, std::uint64_t block) {
    auto& [runs, refs] = workers[worker];
    refs.clear();
    list(block, refs);
    const auto count = static_cast<std::uint32_t>(refs.size());
    runs.sum(bases.data(), refs, {&count, 1}, {&sums[block], 1});
  });
  Jacobian<Field> out = Jacobian<Field>::infinity();
  for (const Affine<Field>& sum : sums) out += sum;
  return out;
}

template <class Field>
std::uint64_t sum_listed_bytes(std::uint64_t blocks, std::size_t most, unsigned width, const Kernels& kernels) {
  return width * (RunSums<Field>::bytes(kernels, most) + 2 * most * sizeof(PointRef)) + blocks * sizeof(Affine<Field>);
}

template <class Field>
Jacobian<Field> sum_selected(std::span<const Affine<Field>> bases, std::span<const std::uint64_t> selected,
                             Executor& executor, const Kernels& kernels) {
  const auto list = [&](std::uint64_t block, std::vector<PointRef>& refs) {
    const std::size_t end = std::min(selected.size(), (block + 1) * block_words);
    for (std::size_t w = block * block_words; w < end; ++w)
      for (std::uint64_t rest = selected[w]; rest != 0; rest &= rest - 1)
        refs.push_back(static_cast<PointRef>(64 * w + static_cast<std::size_t>(std::countr_zero(rest))));
  };
  const std::uint64_t blocks = (selected.size() + block_words - 1) / block_words;
  return sum_listed<Field>(bases, blocks, block_bits, list, executor, kernels);
}

template G1 sum_listed(std::span<const G1Affine>, std::uint64_t, std::size_t, const ListRefs&, Executor&,
                       const Kernels&);
template G2 sum_listed(std::span<const G2Affine>, std::uint64_t, std::size_t, const ListRefs&, Executor&,
                       const Kernels&);
template std::uint64_t sum_listed_bytes<Fp>(std::uint64_t, std::size_t, unsigned, const Kernels&);
template std::uint64_t sum_listed_bytes<Fp2>(std::uint64_t, std::size_t, unsigned, const Kernels&);
template G1 sum_selected(std::span<const G1Affine>, std::span<const std::uint64_t>, Executor&, const Kernels&);
template G2 sum_selected(std::span<const G2Affine>, std::span<const std::uint64_t>, Executor&, const Kernels&);

}  // namespace pinion::bls::simd
