#include "query_terms.hpp"

#include <bit>

namespace pinion::backend_cpu {
namespace {

std::uint64_t popcount(std::uint64_t word) {
  return static_cast<std::uint64_t>(std::popcount(word));
}
std::uint64_t below(unsigned bit) {
  return (std::uint64_t{1} << bit) - 1;
}

}  // namespace

QueryTerms QueryTerms::a(const groth16::Shape& shape, const groth16::Witness& witness) {
  return {shape, witness, Inputs::all, nullptr, &shape.a_aux()};
}
QueryTerms QueryTerms::b(const groth16::Shape& shape, const groth16::Witness& witness) {
  return {shape, witness, Inputs::dense, &shape.b_input(), &shape.b_aux()};
}
QueryTerms QueryTerms::l(const groth16::Shape& shape, const groth16::Witness& witness) {
  return {shape, witness, Inputs::none, nullptr, nullptr};
}

QueryTerms::QueryTerms(const groth16::Shape& shape, const groth16::Witness& witness, Inputs inputs,
                       const groth16::Bitmap* input_density, const groth16::Bitmap* aux_density)
    : shape_(shape),
      witness_(witness),
      packed_(witness.is_packed(shape)),
      inputs_(inputs),
      input_density_(input_density),
      aux_density_(aux_density),
      words_((std::uint64_t{shape.num_aux()} + 63) / 64) {
  for (std::uint32_t i = 0; i < shape.num_inputs(); ++i) input_count_ += is_dense_input(i) ? 1 : 0;
  scalar_count_ = input_count_;
  for (std::uint64_t block = 0; block < blocks(); ++block) {
    block_begin_.push_back(scalar_count_);
    scalar_count_ += count_scalars(block);
  }
}

bool QueryTerms::is_dense_input(std::uint32_t i) const {
  return inputs_ == Inputs::all || (inputs_ == Inputs::dense && input_density_->test(i));
}

std::uint64_t QueryTerms::dense_word(std::uint64_t w) const {
  if (aux_density_ != nullptr) return aux_density_->words[w];
  const auto rest = static_cast<unsigned>(shape_.num_aux() - 64 * w);
  return rest < 64 ? below(rest) : ~std::uint64_t{0};
}

std::uint64_t QueryTerms::scalar_word(std::uint64_t w) const {
  return packed_ ? dense_word(w) & ~shape_.is_bit().words[w] : dense_word(w);
}

std::uint64_t QueryTerms::position(std::uint64_t word) const {
  return input_count_ + (aux_density_ != nullptr ? aux_density_->rank(64 * word) : 64 * word);
}

std::uint64_t QueryTerms::count_scalars(std::uint64_t block) const {
  std::uint64_t count = 0;
  for (std::uint64_t w = block * block_words; w < words_ && w < (block + 1) * block_words; ++w)
    count += popcount(scalar_word(w));
  return count;
}

void QueryTerms::list_ones(std::uint64_t block, std::vector<bls::simd::PointRef>& out) const {
  if (!packed_) return;
  std::uint64_t at = position(block * block_words);
  for (std::uint64_t w = block * block_words; w < words_ && w < (block + 1) * block_words; ++w) {
    const std::uint64_t dense = dense_word(w);
    for (std::uint64_t ones = dense & witness_.bits[w]; ones != 0; ones &= ones - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(ones));
      out.push_back(static_cast<bls::simd::PointRef>(at + popcount(dense & below(bit))));
    }
    at += popcount(dense);
  }
}

void QueryTerms::gather_scalars(std::span<std::uint32_t> positions, std::span<bls::Fr> scalars,
                                Executor& executor) const {
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < shape_.num_inputs(); ++i) {
    if (!is_dense_input(i)) continue;
    positions[at] = at;
    scalars[at++] = witness_.inputs[i];
  }
  executor.for_each(blocks(), [&](std::uint64_t block) {
    executor.check();
    gather_block(block, positions.data() + block_begin_[block], scalars.data() + block_begin_[block]);
  });
}

void QueryTerms::gather_block(std::uint64_t block, std::uint32_t* positions, bls::Fr* scalars) const {
  const std::uint64_t first = block * block_words;
  std::uint64_t at = position(first);
  // The witness's scalar of the first aux in the block that is none of its bits.
  std::uint64_t value = packed_ ? shape_.is_bit().rank_zeros(64 * first) : 64 * first;
  for (std::uint64_t w = first; w < words_ && w < first + block_words; ++w) {
    const std::uint64_t dense = dense_word(w), valued = packed_ ? ~shape_.is_bit().words[w] : ~std::uint64_t{0};
    for (std::uint64_t rest = scalar_word(w); rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(rest));
      *positions++ = static_cast<std::uint32_t>(at + popcount(dense & below(bit)));
      *scalars++ = witness_.scalars[value + popcount(valued & below(bit))];
    }
    at += popcount(dense);
    value += popcount(valued);
  }
}

}  // namespace pinion::backend_cpu
