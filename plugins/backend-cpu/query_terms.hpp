// Which points of a query meet which values of a witness: a query holds points for some variables only, inputs first,
// then aux, ascending. Bits that are one are listed, so that their points are simply added; everything else becomes
// (position, scalar) pairs for a multi-scalar multiplication. A view over a shape and a witness that passed
// check_witness. Source: bellperson 0.27 groth16 (density trackers).
#pragma once

#include <cstdint>
#include <pinion/bls12_381/simd/point_refs.hpp>
#include <pinion/executor.hpp>
#include <pinion/groth16/witness.hpp>
#include <span>
#include <vector>

namespace pinion::backend_cpu {

class QueryTerms {
 public:
  static constexpr std::size_t block_words = 512;
  static constexpr std::size_t block_bits = 64 * block_words;  // aux a block

  static QueryTerms a(const groth16::Shape& shape, const groth16::Witness& witness);
  static QueryTerms b(const groth16::Shape& shape, const groth16::Witness& witness);
  static QueryTerms l(const groth16::Shape& shape, const groth16::Witness& witness);

  std::uint64_t blocks() const { return (words_ + block_words - 1) / block_words; }
  // Positions of the block's bits that are one. [any]
  void list_ones(std::uint64_t block, std::vector<bls::simd::PointRef>& out) const;

  // How many terms are no bits: at most inputs + aux.
  std::uint64_t scalar_count() const { return scalar_count_; }
  // Those terms; both spans have scalar_count() elements. [worker]
  void gather_scalars(std::span<std::uint32_t> positions, std::span<bls::Fr> scalars, Executor& executor) const;

 private:
  enum class Inputs { none, dense, all };
  QueryTerms(const groth16::Shape& shape, const groth16::Witness& witness, Inputs inputs,
             const groth16::Bitmap* input_density, const groth16::Bitmap* aux_density);

  bool is_dense_input(std::uint32_t i) const;
  std::uint64_t dense_word(std::uint64_t w) const;   // aux of the query
  std::uint64_t scalar_word(std::uint64_t w) const;  // of those, the ones that are no bits
  std::uint64_t position(std::uint64_t word) const;  // of the first aux of that word
  std::uint64_t count_scalars(std::uint64_t block) const;
  void gather_block(std::uint64_t block, std::uint32_t* positions, bls::Fr* scalars) const;

  const groth16::Shape& shape_;
  const groth16::Witness& witness_;
  bool packed_;
  Inputs inputs_;
  const groth16::Bitmap* input_density_;
  const groth16::Bitmap* aux_density_;  // nullptr: all
  std::uint64_t words_, input_count_ = 0, scalar_count_ = 0;
  std::vector<std::uint64_t> block_begin_;  // of each block's scalars among all, inputs before them
};

}  // namespace pinion::backend_cpu
