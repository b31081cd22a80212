// Shape: the R1CS of a circuit: rows A_i, B_i, C_i, query densities, and which variables are bits. It is independent of
// values, made once per kind of proof, and read by setup, by provers and by devices. Here: a read-only view over the
// flat form (shape_format.hpp) and the owner of one in memory. Making one is ShapeBuilder's work.
//
// Rows repeat: a circuit of 130 million rows has a few thousand different lists of coefficients. So a row is the id of
// its *pattern* (the coefficients of A, B and C in term order, as ids into a dictionary) and its columns, 4 bytes a
// term: the 32 GiB PoRep takes 2.3 GB for A and B, 3.4 GB with C, against 27 GB as plain CSR.
//
// Columns are variable codes: aux i is i, input j is input_flag | j; input 0 is ONE. Terms of a row stand inputs
// first, then aux, each ascending, without zero coefficients. The last `inputs` rows are the appended Input(i) * 0 = 0.
// Source: bellperson 0.27 groth16 (generator, prover, density trackers).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/executor.hpp>
#include <span>

#include "result.hpp"
#include "shape_format.hpp"

namespace pinion::groth16 {

inline constexpr std::uint32_t input_flag = 0x80000000;
constexpr bool is_input(std::uint32_t code) {
  return (code & input_flag) != 0;
}
constexpr std::uint32_t index_of(std::uint32_t code) {
  return code & ~input_flag;
}

// Bits, least significant first in 64-bit words, with the number of ones before every 512th.
struct Bitmap {
  std::span<const std::uint64_t> words;
  std::span<const std::uint32_t> ranks;
  std::uint64_t size = 0;  // bits
  std::uint64_t ones = 0;

  // i < size
  bool test(std::uint64_t i) const { return (words[i / 64] >> (i % 64) & 1) != 0; }
  // Ones before bit i, i <= size.
  std::uint64_t rank(std::uint64_t i) const {
    if (i == size) return ones;
    std::uint64_t count = ranks[i / rank_block_bits];
    for (std::uint64_t w = i / rank_block_bits * (rank_block_bits / 64); w < i / 64; ++w)
      count += static_cast<std::uint64_t>(std::popcount(words[w]));
    const std::uint64_t below = (std::uint64_t{1} << (i % 64)) - 1;
    return count + static_cast<std::uint64_t>(std::popcount(words[i / 64] & below));
  }
  std::uint64_t rank_zeros(std::uint64_t i) const { return i - rank(i); }
};

class Shape {
 public:
  // Terms of one row of one matrix; both spans have the same length. `coefficients` index into Shape::coefficients().
  struct Row {
    std::span<const std::uint32_t> columns;
    std::span<const std::uint32_t> coefficients;
  };

  Shape() = default;  // of nothing: 0 inputs, 0 rows

  // Over `bytes`, which must be 8-byte aligned and outlive the view: a whole shape or, for who needs no C, a prefix of
  // at least ShapeLayout::bytes_without_c. Believes nothing: digests of all sections that are there, every bound, order
  // and density is checked, so that afterwards no reader has to. Errors name section and position. About 1 s per GB and
  // thread. [worker]
  static Result<Shape> open(std::span<const std::uint8_t> bytes, Executor& executor);
  // The same without reading the sections: only for bytes that this process has built or opened before. [any]
  static Result<Shape> reopen(std::span<const std::uint8_t> bytes);

  std::uint32_t num_inputs() const { return counts_.inputs; }
  std::uint32_t num_aux() const { return counts_.aux; }
  std::uint64_t num_rows() const { return counts_.rows; }
  std::uint64_t num_terms(Matrix m) const { return counts_.terms[static_cast<std::size_t>(m)]; }
  std::uint64_t num_bits() const { return is_bit_.ones; }
  std::uint64_t num_scalars() const { return num_aux() - is_bit_.ones; }
  const ShapeCounts& counts() const { return counts_; }
  const ShapeDigest& digest() const { return digest_; }  // of the content
  bool has(Matrix m) const { return m != Matrix::c || has_c_; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }

  // Variables with a non-zero coefficient in some row of A or B; bit i belongs to aux i or input i. A covers all
  // inputs.
  const Bitmap& a_aux() const { return a_aux_; }
  const Bitmap& b_input() const { return b_input_; }
  const Bitmap& b_aux() const { return b_aux_; }
  // Aux that the circuit allocated as bits; is_bit().rank_zeros(i) is the place of scalar aux i among the scalars.
  const Bitmap& is_bit() const { return is_bit_; }

  std::span<const bls::Fr> coefficients() const { return coefficients_; }
  // Of pattern p: entries [3p + m], [3p + m + 1] bound the coefficients of matrix m in pattern_coefficients().
  std::span<const std::uint32_t> pattern_begin() const { return pattern_begin_; }
  std::span<const std::uint32_t> pattern_coefficients() const { return pattern_coefficients_; }
  // The pattern of every row.
  std::span<const std::uint32_t> row_patterns() const { return row_patterns_; }
  // All columns of a matrix, row after row, and where the rows 256 * k begin in them (ceil(rows / 256) + 1 entries).
  std::span<const std::uint32_t> columns(Matrix m) const { return columns_[static_cast<std::size_t>(m)]; }
  std::span<const std::uint64_t> block_begin(Matrix m) const { return block_begin_[static_cast<std::size_t>(m)]; }

  // f(row number, Row) for the rows [begin, end), in order; end <= num_rows(), and has(m). Starting at a multiple of
  // 256 is free, elsewhere the block's earlier rows are skipped over. [any]
  template <class F>
  void for_each_row(Matrix m, std::uint64_t begin, std::uint64_t end, F&& f) const {
    const std::size_t which = static_cast<std::size_t>(m);
    const std::uint32_t* const starts = pattern_begin_.data() + which;
    const std::uint64_t block = begin / shape_block_rows;
    if (begin >= end) return;
    std::uint64_t at = block_begin_[which][block];
    for (std::uint64_t row = block * shape_block_rows; row < end; ++row) {
      const std::uint32_t* const start = starts + std::size_t{3} * row_patterns_[row];
      const std::size_t length = start[1] - start[0];
      if (row >= begin)
        f(row, Row{columns_[which].subspan(at, length), pattern_coefficients_.subspan(start[0], length)});
      at += length;
    }
  }

 private:
  std::span<const std::uint8_t> bytes_;
  ShapeCounts counts_;
  ShapeDigest digest_{};
  bool has_c_ = false;
  Bitmap a_aux_, b_input_, b_aux_, is_bit_;
  std::span<const bls::Fr> coefficients_;
  std::span<const std::uint32_t> pattern_begin_, pattern_coefficients_, row_patterns_;
  std::array<std::span<const std::uint64_t>, 3> block_begin_;
  std::array<std::span<const std::uint32_t>, 3> columns_;
};

// A shape and the memory it lies in. Movable; for tests, tools and setup (provers keep shapes in charged slabs).
class OwnedShape {
 public:
  // `size` bytes, 64-byte aligned, to be filled by the caller before reopen().
  explicit OwnedShape(std::uint64_t size);
  std::span<std::uint8_t> bytes() { return {memory_.get(), size_}; }
  Result<void> reopen();

  const Shape& operator*() const { return shape_; }
  const Shape* operator->() const { return &shape_; }

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const noexcept;
  };
  std::unique_ptr<std::uint8_t[], Free> memory_;
  std::uint64_t size_;
  Shape shape_;
};

}  // namespace pinion::groth16
