// Sums by bitmap: every worker takes a block of the bitmap, sums its points as one run, and the blocks' sums are summed
// in the same way.
#include <bit>
#include <vector>

#include "crew.hpp"
#include "msm.hpp"
#include "run_sums.hpp"

namespace pinion::bls::simd {
namespace {

constexpr std::size_t block_words = 512;
constexpr std::size_t block_bits = block_words * 64;

void list_ones(std::span<const std::uint64_t> words, std::size_t first_bit, std::vector<PointRef>& out) {
  out.clear();
  for (std::size_t w = 0; w < words.size(); ++w)
    for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
      out.push_back(static_cast<PointRef>(first_bit + 64 * w + static_cast<std::size_t>(std::countr_zero(rest))));
}

}  // namespace

template <class Field>
Jacobian<Field> sum_selected(std::span<const Affine<Field>> bases, std::span<const std::uint64_t> selected,
                             Executor& executor, const Kernels& kernels) {
  const std::size_t blocks = (selected.size() + block_words - 1) / block_words;
  if (blocks == 0) return Jacobian<Field>::infinity();
  std::vector<RunSums<Field>> workers;
  for (unsigned i = 0; i < executor.width(); ++i) workers.emplace_back(kernels, block_bits);
  std::vector<std::vector<PointRef>> refs(executor.width());
  std::vector<Affine<Field>> sums(blocks);
  share(executor, blocks, [&](std::uint64_t worker, std::uint64_t block) {
    const std::size_t first = block * block_words;
    list_ones(selected.subspan(first, std::min(block_words, selected.size() - first)), first * 64, refs[worker]);
    const auto count = static_cast<std::uint32_t>(refs[worker].size());
    workers[worker].sum(bases.data(), refs[worker], {&count, 1}, {&sums[block], 1});
  });
  Jacobian<Field> out = Jacobian<Field>::infinity();
  for (const Affine<Field>& sum : sums) out += sum;
  return out;
}

template <class Field>
std::uint64_t sum_selected_bytes(std::uint64_t bases, unsigned width, const Kernels& kernels) {
  return width * (RunSums<Field>::bytes(kernels, block_bits) + 2 * block_bits * sizeof(PointRef)) +
         (bases / block_bits + 1) * sizeof(Affine<Field>);
}

template G1 sum_selected(std::span<const G1Affine>, std::span<const std::uint64_t>, Executor&, const Kernels&);
template G2 sum_selected(std::span<const G2Affine>, std::span<const std::uint64_t>, Executor&, const Kernels&);
template std::uint64_t sum_selected_bytes<Fp>(std::uint64_t, unsigned, const Kernels&);
template std::uint64_t sum_selected_bytes<Fp2>(std::uint64_t, unsigned, const Kernels&);

}  // namespace pinion::bls::simd
