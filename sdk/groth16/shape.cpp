#include "shape.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <new>

#include "shape_check.hpp"

namespace pinion::groth16 {

namespace {
// The section as elements of T; lengths follow from the same counts as the layout.
template <class T>
std::span<const T> section(std::span<const std::uint8_t> bytes, const ShapeLayout& layout, Section which) {
  const auto& extent = layout[which];
  return {reinterpret_cast<const T*>(bytes.data() + extent.offset), extent.bytes / sizeof(T)};
}

Bitmap bitmap(std::span<const std::uint8_t> bytes, const ShapeLayout& layout, Section words, std::uint64_t size) {
  Bitmap out;
  out.words = section<std::uint64_t>(bytes, layout, words);
  out.ranks = section<std::uint32_t>(bytes, layout, static_cast<Section>(static_cast<std::size_t>(words) + 1));
  out.size = size;
  if (size == 0) return out;
  out.ones = out.ranks.back();
  for (std::uint64_t w = (out.ranks.size() - 1) * (rank_block_bits / 64); w < out.words.size(); ++w)
    out.ones += static_cast<std::uint64_t>(std::popcount(out.words[w]));
  return out;
}
}  // namespace

Result<Shape> Shape::reopen(std::span<const std::uint8_t> bytes) {
  const auto header = ShapeHeader::parse(bytes);
  if (!header) return header.error();
  const ShapeLayout layout(header->counts);
  if (bytes.size() < layout.bytes_without_c)
    return Error{ErrorCode::truncated, fmt::format("shape: {} bytes, but A and B alone end at {} and C at {}",
                                                   bytes.size(), layout.bytes_without_c, layout.bytes)};
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0)
    return Error{ErrorCode::invalid_argument, "shape: its memory is not aligned to 8 bytes"};
  Shape shape;
  shape.has_c_ = bytes.size() >= layout.bytes;
  bytes = bytes.first(shape.has_c_ ? layout.bytes : layout.bytes_without_c);
  shape.bytes_ = bytes;
  shape.counts_ = header->counts;
  shape.digest_ = header->digest;
  shape.coefficients_ = section<bls::Fr>(bytes, layout, Section::coefficients);
  shape.pattern_begin_ = section<std::uint32_t>(bytes, layout, Section::pattern_begin);
  shape.pattern_coefficients_ = section<std::uint32_t>(bytes, layout, Section::pattern_coefficients);
  shape.row_patterns_ = section<std::uint32_t>(bytes, layout, Section::row_patterns);
  shape.a_aux_ = bitmap(bytes, layout, Section::a_aux_words, header->counts.aux);
  shape.b_input_ = bitmap(bytes, layout, Section::b_input_words, header->counts.inputs);
  shape.b_aux_ = bitmap(bytes, layout, Section::b_aux_words, header->counts.aux);
  shape.is_bit_ = bitmap(bytes, layout, Section::is_bit_words, header->counts.aux);
  for (const Matrix m : matrices) {
    if (!shape.has(m)) continue;
    const std::size_t k = static_cast<std::size_t>(m);
    const std::size_t first = static_cast<std::size_t>(Section::a_begin) + 2 * k;
    shape.block_begin_[k] = section<std::uint64_t>(bytes, layout, static_cast<Section>(first));
    shape.columns_[k] = section<std::uint32_t>(bytes, layout, static_cast<Section>(first + 1));
  }
  return shape;
}

Result<Shape> Shape::open(std::span<const std::uint8_t> bytes, Executor& executor) {
  auto shape = reopen(bytes);
  if (!shape) return shape;
  if (auto checked = check_shape(*shape, executor); !checked) return checked.error();
  return shape;
}

void OwnedShape::Free::operator()(std::uint8_t* memory) const noexcept {
  std::free(memory);
}

OwnedShape::OwnedShape(std::uint64_t size)
    : memory_(static_cast<std::uint8_t*>(std::aligned_alloc(64, (size + 63) / 64 * 64))), size_(size) {
  if (!memory_) throw std::bad_alloc();
}

Result<void> OwnedShape::reopen() {
  auto shape = Shape::reopen(bytes());
  if (!shape) return shape.error();
  shape_ = *shape;
  return {};
}

}  // namespace pinion::groth16
