// Hostile shapes. Half of the inputs are sealed anew, so that the checks behind the digests are reached; what
// Shape::open accepts must then be safe to read from end to end.
#include <algorithm>
#include <cstring>
#include <pinion/groth16/shape.hpp>
#include <vector>

using namespace pinion;
using namespace pinion::groth16;

namespace {

void seal(std::span<std::uint8_t> bytes, const ShapeCounts& counts) {
  const ShapeLayout layout(counts);
  if (bytes.size() < layout.bytes) return;
  ShapeHeader header{counts, {}, {}};
  for (std::size_t s = 0; s < section_count; ++s) {
    const auto section = bytes.subspan(layout.extents[s].offset, layout.extents[s].bytes);
    std::vector<ShapeDigest> pieces;  // inputs are smaller than one piece
    if (!section.empty()) pieces.push_back(sha256(section));
    header.sections[s] = digest_of_pieces(pieces);
  }
  header.write(bytes.first<ShapeHeader::bytes>());
}

void read_all(const Shape& shape) {
  std::uint64_t seen = 0;
  for (const Matrix m : matrices) {
    if (!shape.has(m)) continue;
    shape.for_each_row(m, 0, shape.num_rows(), [&](std::uint64_t, const Shape::Row& row) {
      for (std::size_t t = 0; t < row.columns.size(); ++t)
        seen += row.columns[t] + shape.coefficients()[row.coefficients[t]].limb[0];
    });
  }
  for (std::uint32_t i = 0; i <= shape.num_aux(); ++i) seen += shape.is_bit().rank_zeros(i);
  const volatile std::uint64_t kept = seen;  // or the reads would not happen
  static_cast<void>(kept);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > digest_piece_bytes) return 0;
  std::vector<std::uint64_t> memory((size + 7) / 8);  // aligned as a shape must be
  const std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(memory.data()), size);
  std::copy_n(data, size, bytes.begin());
  SerialExecutor executor;
  if (const auto header = ShapeHeader::parse(bytes); header && data[size - 1] % 2 == 0) seal(bytes, header->counts);
  if (const auto shape = Shape::open(bytes, executor)) read_all(*shape);
  return 0;
}
