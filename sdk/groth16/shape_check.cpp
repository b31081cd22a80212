#include "shape_check.hpp"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <vector>

namespace pinion::groth16 {

namespace {

constexpr std::array<const char*, section_count> section_names{"coefficients",  "pattern_begin", "pattern_coefficients",
                                                               "a_aux words",   "a_aux ranks",   "b_input words",
                                                               "b_input ranks", "b_aux words",   "b_aux ranks",
                                                               "is_bit words",  "is_bit ranks",  "row_patterns",
                                                               "a_begin",       "a_columns",     "b_begin",
                                                               "b_columns",     "c_begin",       "c_columns"};

// The first complaint of any thread.
class Complaint {
 public:
  void say(std::string what) {
    const std::lock_guard lock(mutex_);
    if (text_.empty()) text_ = std::move(what);
    any_.store(true, std::memory_order_relaxed);
  }
  bool any() const { return any_.load(std::memory_order_relaxed); }
  Result<void> result() const {
    if (!any()) return {};
    return Error{ErrorCode::malformed, "shape: " + text_};
  }

 private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::string text_;
};

// Bits set by several threads.
class SharedBits {
 public:
  explicit SharedBits(std::uint64_t size) : words_((size + 63) / 64) {}
  void set(std::uint64_t i) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    std::atomic_ref<std::uint64_t> word(words_[i / 64]);
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }
  bool equals(const Bitmap& bitmap) const { return std::ranges::equal(words_, bitmap.words); }

 private:
  std::vector<std::uint64_t> words_;
};

void check_digests(const Shape& shape, Executor& executor, Complaint& complaint) {
  const auto header = ShapeHeader::parse(shape.bytes());
  const ShapeLayout layout(shape.counts());
  for (std::size_t s = 0; s < section_count && !complaint.any(); ++s) {
    if (s >= static_cast<std::size_t>(Section::c_begin) && !shape.has(Matrix::c)) break;
    const auto& extent = layout.extents[s];
    const auto section = shape.bytes().subspan(extent.offset, extent.bytes);
    std::vector<ShapeDigest> pieces((extent.bytes + digest_piece_bytes - 1) / digest_piece_bytes);
    executor.for_each(pieces.size(), [&](std::uint64_t i) {
      executor.check();
      const std::uint64_t begin = i * digest_piece_bytes;
      pieces[i] = sha256(section.subspan(begin, std::min(digest_piece_bytes, section.size() - begin)));
    });
    if (digest_of_pieces(pieces) != header->sections[s])
      complaint.say(fmt::format("section {} at byte {} differs from its digest; the file is damaged, make it anew",
                                section_names[s], extent.offset));
    const std::uint64_t end = extent.offset + extent.bytes;
    for (const std::uint8_t byte : shape.bytes().subspan(end, (64 - end % 64) % 64))
      if (byte != 0) complaint.say(fmt::format("bytes after section {} are not zero", section_names[s]));
  }
}

void check_patterns(const Shape& shape, Complaint& complaint) {
  const auto begin = shape.pattern_begin();
  if (begin.front() != 0 || begin.back() != shape.pattern_coefficients().size() || !std::ranges::is_sorted(begin))
    complaint.say("pattern_begin does not bound the pattern coefficients");
  for (const std::uint32_t id : shape.pattern_coefficients())
    if (id >= shape.coefficients().size())
      return complaint.say(fmt::format("a pattern names coefficient {} of {}", id, shape.coefficients().size()));
  for (const bls::Fr& coefficient : shape.coefficients())
    if (coefficient.is_zero() || !bls::Fr::is_below_modulus(coefficient.limb))
      return complaint.say("a coefficient is zero or not reduced");
}

void check_bitmap(const char* name, const Bitmap& bitmap, Complaint& complaint) {
  std::uint64_t ones = 0;
  for (std::uint64_t w = 0; w < bitmap.words.size(); ++w) {
    if (w % (rank_block_bits / 64) == 0 && bitmap.ranks[w / (rank_block_bits / 64)] != ones)
      return complaint.say(fmt::format("rank {} of {} is wrong", w / (rank_block_bits / 64), name));
    ones += static_cast<std::uint64_t>(std::popcount(bitmap.words[w]));
  }
  if (bitmap.size % 64 != 0 && bitmap.words.back() >> (bitmap.size % 64) != 0)
    complaint.say(fmt::format("{} has bits behind its end", name));
}

// Columns of one row: known variables, inputs first, strictly ascending.
bool columns_in_order(std::span<const std::uint32_t> columns, const ShapeCounts& counts) {
  std::int64_t before = -1;
  for (const std::uint32_t code : columns) {
    const std::int64_t place = index_of(code) + (is_input(code) ? 0 : std::int64_t{input_flag});
    if (place <= before || index_of(code) >= (is_input(code) ? counts.inputs : counts.aux)) return false;
    before = place;
  }
  return true;
}

class RowCheck {
 public:
  RowCheck(const Shape& shape, Complaint& complaint)
      : shape_(shape),
        complaint_(complaint),
        a_aux_(shape.num_aux()),
        b_input_(shape.num_inputs()),
        b_aux_(shape.num_aux()) {}

  void run(Executor& executor) {
    const std::uint64_t blocks = (shape_.num_rows() + shape_block_rows - 1) / shape_block_rows;
    executor.for_range(blocks, 64, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t block = begin; block < end && !complaint_.any(); ++block) {
        if (block % 4096 == 0) executor.check();
        check_block(block);
      }
    });
    if (complaint_.any()) return;
    if (!a_aux_.equals(shape_.a_aux())) complaint_.say("a_aux is not the density of A");
    if (!b_input_.equals(shape_.b_input())) complaint_.say("b_input is not the density of B");
    if (!b_aux_.equals(shape_.b_aux())) complaint_.say("b_aux is not the density of B");
    check_input_rows();
  }

 private:
  void check_block(std::uint64_t block) {
    const std::uint64_t first = block * shape_block_rows;
    const std::uint64_t last = std::min(first + shape_block_rows, shape_.num_rows());
    for (std::uint64_t row = first; row < last; ++row)
      if (shape_.row_patterns()[row] >= shape_.counts().patterns)
        return complaint_.say(
            fmt::format("row {} has pattern {} of {}", row, shape_.row_patterns()[row], shape_.counts().patterns));
    for (const Matrix m : matrices)
      if (shape_.has(m) && !check_block_of(m, block, first, last))
        return complaint_.say(
            fmt::format("matrix {}, rows {} to {}: the block's bounds, or a row's variables or their order, are wrong",
                        "ABC"[static_cast<std::size_t>(m)], first, last));
  }

  bool check_block_of(Matrix m, std::uint64_t block, std::uint64_t first, std::uint64_t last) {
    const auto begin = shape_.block_begin(m);
    std::uint64_t length = 0;
    for (std::uint64_t row = first; row < last; ++row) {
      const auto* const bound =
          shape_.pattern_begin().data() + std::size_t{3} * shape_.row_patterns()[row] + static_cast<std::size_t>(m);
      length += bound[1] - bound[0];
    }
    if ((block == 0 && begin[0] != 0) || begin[block] > shape_.num_terms(m) ||
        shape_.num_terms(m) - begin[block] < length || begin[block + 1] != begin[block] + length ||
        (last == shape_.num_rows() && begin[block + 1] != shape_.num_terms(m)))
      return false;
    bool good = true;
    shape_.for_each_row(m, first, last, [&](std::uint64_t, const Shape::Row& row) {
      good = good && columns_in_order(row.columns, shape_.counts());
      if (good && m != Matrix::c) mark(m, row.columns);
    });
    return good;
  }

  void mark(Matrix m, std::span<const std::uint32_t> columns) {
    for (const std::uint32_t code : columns) {
      if (m == Matrix::a && !is_input(code)) a_aux_.set(code);
      if (m == Matrix::b) (is_input(code) ? b_input_ : b_aux_).set(index_of(code));
    }
  }

  void check_input_rows() {
    const std::uint64_t first = shape_.num_rows() - shape_.num_inputs();
    for (const Matrix m : matrices) {
      if (!shape_.has(m)) continue;
      shape_.for_each_row(m, first, shape_.num_rows(), [&](std::uint64_t row, const Shape::Row& terms) {
        const std::uint32_t variable = input_flag | static_cast<std::uint32_t>(row - first);
        const bool good = m == Matrix::a ? terms.columns.size() == 1 && terms.columns[0] == variable &&
                                               shape_.coefficients()[terms.coefficients[0]].is_one()
                                         : terms.columns.empty();
        if (!good) complaint_.say(fmt::format("row {} is not Input({}) * 0 = 0", row, row - first));
      });
    }
  }

  const Shape& shape_;
  Complaint& complaint_;
  SharedBits a_aux_, b_input_, b_aux_;
};

}  // namespace

Result<void> check_shape(const Shape& shape, Executor& executor) {
  Complaint complaint;
  check_digests(shape, executor, complaint);
  if (!complaint.any()) check_patterns(shape, complaint);
  if (!complaint.any()) {
    check_bitmap("a_aux", shape.a_aux(), complaint);
    check_bitmap("b_input", shape.b_input(), complaint);
    check_bitmap("b_aux", shape.b_aux(), complaint);
    check_bitmap("is_bit", shape.is_bit(), complaint);
  }
  if (!complaint.any()) RowCheck(shape, complaint).run(executor);
  return complaint.result();
}

}  // namespace pinion::groth16
