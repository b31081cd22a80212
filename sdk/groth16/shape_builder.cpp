#include "shape_builder.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "shape_builder_state.hpp"

namespace pinion::groth16 {

ShapeBuilder::ShapeBuilder() : state_(std::make_unique<State>()) {
  add_input();
}
ShapeBuilder::~ShapeBuilder() = default;
ShapeBuilder::ShapeBuilder(ShapeBuilder&&) noexcept = default;
ShapeBuilder& ShapeBuilder::operator=(ShapeBuilder&&) noexcept = default;

std::uint64_t ShapeBuilder::rows() const {
  return state_->counts().rows;
}
std::uint32_t ShapeBuilder::inputs() const {
  return state_->inputs;
}
std::uint32_t ShapeBuilder::aux() const {
  return state_->aux;
}

std::uint32_t ShapeBuilder::add_input() {
  const std::uint32_t index = State::next(state_->inputs);
  state_->b_input.resize(state_->inputs);
  return input_flag | index;
}

std::uint32_t ShapeBuilder::add_scalar() {
  const std::uint32_t index = State::next(state_->aux);
  for (GrowingBits* bits : {&state_->a_aux, &state_->b_aux, &state_->is_bit}) bits->resize(state_->aux);
  return index;
}

std::uint32_t ShapeBuilder::add_bit() {
  const std::uint32_t index = add_scalar();
  state_->is_bit.set(index);
  return index;
}

void ShapeBuilder::add_row(std::span<const Term> a, std::span<const Term> b, std::span<const Term> c) {
  State& state = *state_;
  if (state.finished) throw std::logic_error("shape: add_row after finish");
  std::array<std::uint32_t, 3> ends{};
  state.row_ids.clear();
  state.add_terms(Matrix::a, a);
  ends[0] = static_cast<std::uint32_t>(state.row_ids.size());
  state.add_terms(Matrix::b, b);
  ends[1] = static_cast<std::uint32_t>(state.row_ids.size());
  state.add_terms(Matrix::c, c);
  ends[2] = static_cast<std::uint32_t>(state.row_ids.size());
  state.row_patterns.push_back(state.patterns.id(state.row_ids, ends));
}

ShapeCounts ShapeBuilder::finish() {
  if (!state_->finished) {
    for (std::uint32_t i = 0; i < state_->inputs; ++i) {
      const Term input{input_flag | i, bls::Fr::one()};
      add_row({&input, 1}, {}, {});
    }
    state_->finished = true;
  }
  return state_->counts();
}

namespace {
template <class T>
std::span<T> section(std::span<std::uint8_t> out, const ShapeLayout::Extent& extent) {
  return {reinterpret_cast<T*>(out.data() + extent.offset), extent.bytes / sizeof(T)};
}

template <class T>
void put(std::span<std::uint8_t> out, const ShapeLayout::Extent& extent, std::span<const T> values) {
  std::ranges::copy(values, section<T>(out, extent).begin());
}

// Where the columns of each block of rows begin, and where the last one's end.
void put_begins(std::span<std::uint64_t> begins, const PatternTable& patterns, std::size_t m,
                std::span<const std::uint32_t> row_patterns) {
  std::uint64_t at = 0;
  for (std::size_t row = 0; row < row_patterns.size(); ++row) {
    if (row % shape_block_rows == 0) begins[row / shape_block_rows] = at;
    at += patterns.length(row_patterns[row], m);
  }
  begins.back() = at;
}

void put_bitmap(std::span<std::uint8_t> out, const ShapeLayout& layout, Section which, const GrowingBits& bits) {
  put(out, layout[which], bits.words());
  const auto ranks = section<std::uint32_t>(out, layout[static_cast<Section>(static_cast<std::size_t>(which) + 1)]);
  std::uint32_t ones = 0;
  for (std::size_t w = 0; w < bits.words().size(); ++w) {
    if (w % (rank_block_bits / 64) == 0) ranks[w / (rank_block_bits / 64)] = ones;
    ones += static_cast<std::uint32_t>(std::popcount(bits.words()[w]));
  }
}

void fill_padding(std::span<std::uint8_t> out, const ShapeLayout& layout) {
  for (const auto& extent : layout.extents) {
    const std::uint64_t end = extent.offset + extent.bytes;
    std::ranges::fill(out.subspan(end, (64 - end % 64) % 64), std::uint8_t{0});
  }
}

ShapeDigest section_digest(std::span<const std::uint8_t> section, Executor& executor) {
  std::vector<ShapeDigest> pieces((section.size() + digest_piece_bytes - 1) / digest_piece_bytes);
  executor.for_each(pieces.size(), [&](std::uint64_t i) {
    executor.check();
    const std::uint64_t begin = i * digest_piece_bytes;
    pieces[i] = sha256(section.subspan(begin, std::min<std::uint64_t>(digest_piece_bytes, section.size() - begin)));
  });
  return digest_of_pieces(pieces);
}
}  // namespace

void ShapeBuilder::write(std::span<std::uint8_t> out, Executor& executor) {
  State& state = *state_;
  ShapeHeader header{finish(), {}, {}};
  const ShapeLayout layout(header.counts);
  if (out.size() != layout.bytes)
    throw std::invalid_argument(fmt::format("shape: {} bytes given for {}", out.size(), layout.bytes));
  put(out, layout[Section::coefficients], state.coefficients.values());
  put(out, layout[Section::pattern_begin], state.patterns.begin());
  put(out, layout[Section::pattern_coefficients], state.patterns.coefficients());
  put_bitmap(out, layout, Section::a_aux_words, state.a_aux);
  put_bitmap(out, layout, Section::b_input_words, state.b_input);
  put_bitmap(out, layout, Section::b_aux_words, state.b_aux);
  put_bitmap(out, layout, Section::is_bit_words, state.is_bit);
  const auto row_patterns = section<std::uint32_t>(out, layout[Section::row_patterns]);
  state.unroll_patterns(row_patterns, executor);
  const std::size_t first = static_cast<std::size_t>(Section::a_begin);
  executor.for_each(3, [&](std::uint64_t m) {
    put_begins(section<std::uint64_t>(out, layout.extents[first + 2 * m]), state.patterns, m, row_patterns);
  });
  for (std::size_t m = 0; m < 3; ++m)
    state.unroll_columns(m, section<std::uint32_t>(out, layout.extents[first + 2 * m + 1]), executor);
  fill_padding(out, layout);
  for (std::size_t s = 0; s < section_count; ++s)
    header.sections[s] = section_digest(out.subspan(layout.extents[s].offset, layout.extents[s].bytes), executor);
  header.write(out.first<ShapeHeader::bytes>());
  *this = ShapeBuilder();
}

OwnedShape build(ShapeBuilder builder, Executor& executor) {
  OwnedShape shape(ShapeLayout(builder.finish()).bytes);
  builder.write(shape.bytes(), executor);
  if (auto opened = shape.reopen(); !opened) throw std::logic_error(opened.error().message);
  return shape;
}

}  // namespace pinion::groth16
