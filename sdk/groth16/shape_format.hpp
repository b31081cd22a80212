// The flat form of a shape, `pinion.shape.r1cs.bls12-381/1`: what a file, a resident and a device copy hold. Everything
// is little-endian and 64-byte aligned; where each section lies follows from the counts in the header alone, so that
// the size is known before a single row is. Not for reading rows: that is Shape.
//
//   header (1024 bytes)  magic, version, counts, SHA-256 of every section, SHA-256 of all that (the content digest)
//   sections             in the order of enum Section; the columns of C come last, so a prefix serves who needs A and B
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "result.hpp"

namespace pinion::groth16 {

inline constexpr std::string_view shape_format = "pinion.shape.r1cs.bls12-381/1";

enum class Matrix : std::uint8_t { a, b, c };
inline constexpr std::array<Matrix, 3> matrices{Matrix::a, Matrix::b, Matrix::c};

// Rows per entry of the offset tables: where a parallel reader may start.
inline constexpr std::uint64_t shape_block_rows = 256;
// Bits per entry of the rank tables.
inline constexpr std::uint64_t rank_block_bits = 512;

struct ShapeCounts {
  std::uint32_t inputs = 0;                // with ONE; below 2^31
  std::uint32_t aux = 0;                   // below 2^31
  std::uint64_t rows = 0;                  // with the appended input rows
  std::array<std::uint64_t, 3> terms{};    // non-zero coefficients of A, B, C
  std::uint32_t coefficients = 0;          // distinct ones
  std::uint32_t patterns = 0;              // distinct triples of coefficient lists
  std::uint64_t pattern_coefficients = 0;  // in all patterns together; below 2^32
  friend bool operator==(const ShapeCounts&, const ShapeCounts&) = default;
};

enum class Section : std::uint8_t {
  coefficients,          // Fr (Montgomery) each
  pattern_begin,         // u32: 3 * patterns + 1
  pattern_coefficients,  // u32 each: index into coefficients
  a_aux_words,           // u64: ceil(aux / 64)
  a_aux_ranks,           // u32: ceil(aux / 512)
  b_input_words,
  b_input_ranks,
  b_aux_words,
  b_aux_ranks,
  is_bit_words,
  is_bit_ranks,
  row_patterns,  // u32: rows
  a_begin,       // u64: ceil(rows / 256) + 1
  a_columns,     // u32: terms of A
  b_begin,
  b_columns,
  c_begin,
  c_columns,
};
inline constexpr std::size_t section_count = 18;

// Where sections lie, in bytes from the start of the header.
struct ShapeLayout {
  struct Extent {
    std::uint64_t offset, bytes;
  };
  explicit ShapeLayout(const ShapeCounts& counts);

  const Extent& operator[](Section section) const { return extents[static_cast<std::size_t>(section)]; }

  std::array<Extent, section_count> extents;
  std::uint64_t bytes;            // of the whole
  std::uint64_t bytes_without_c;  // of the prefix that holds A and B
};

using ShapeDigest = std::array<std::uint8_t, 32>;

struct ShapeHeader {
  static constexpr std::size_t bytes = 1024;

  ShapeCounts counts;
  std::array<ShapeDigest, section_count> sections;  // section_digest() of each
  ShapeDigest digest;                               // the content digest: SHA-256 of the header up to it

  // Reads and checks the first 1024 bytes of a shape: magic, version, limits, content digest, zero padding. Sections
  // are not looked at. malformed, truncated or (another version) mismatch. [any]
  static Result<ShapeHeader> parse(std::span<const std::uint8_t> start);
  // Fills `digest` and writes 1024 bytes. [any]
  void write(std::span<std::uint8_t, bytes> out);
};

// The digest of a section: SHA-256 over the SHA-256 of each of its pieces of 4 MiB (the last may be shorter; none for
// an empty section), so that pieces can be hashed in parallel.
inline constexpr std::uint64_t digest_piece_bytes = std::uint64_t{4} << 20;
ShapeDigest digest_of_pieces(std::span<const ShapeDigest> pieces);
ShapeDigest sha256(std::span<const std::uint8_t> bytes);

}  // namespace pinion::groth16
