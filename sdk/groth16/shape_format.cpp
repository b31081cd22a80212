#include "shape_format.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace pinion::groth16 {

namespace {
static_assert(std::endian::native == std::endian::little, "the flat form is read in place");

constexpr std::array<std::uint8_t, 8> magic{'P', 'N', 'S', 'H', 'A', 'P', 'E', 0};
constexpr std::uint32_t version = 1;
constexpr std::uint64_t alignment = 64;

// The first bytes of the header as they lie in the file.
struct Raw {
  std::array<std::uint8_t, 8> magic;
  std::uint32_t version, block_rows;
  std::uint32_t inputs, aux;
  std::uint64_t rows;
  std::array<std::uint64_t, 3> terms;
  std::uint32_t coefficients, patterns;
  std::uint64_t pattern_coefficients;
  std::array<ShapeDigest, section_count> sections;
  ShapeDigest digest;
};
static_assert(std::has_unique_object_representations_v<Raw> && sizeof(Raw) <= ShapeHeader::bytes);
constexpr std::size_t digested = offsetof(Raw, digest);

std::string check_limits(const Raw& raw) {
  if (raw.block_rows != shape_block_rows) return fmt::format("blocks of {} rows", raw.block_rows);
  if (raw.inputs == 0 || raw.inputs >> 31 != 0) return fmt::format("{} inputs", raw.inputs);
  if (raw.aux >> 31 != 0) return fmt::format("{} aux variables", raw.aux);
  if (raw.rows < raw.inputs || raw.rows > std::uint64_t{1} << 32) return fmt::format("{} rows", raw.rows);
  for (const std::uint64_t terms : raw.terms)
    if (terms > std::uint64_t{1} << 40) return fmt::format("{} terms", terms);
  if (raw.pattern_coefficients >> 32 != 0) return fmt::format("{} pattern coefficients", raw.pattern_coefficients);
  if (raw.patterns > 0x55555554) return fmt::format("{} patterns", raw.patterns);
  return {};
}
}  // namespace

ShapeDigest sha256(std::span<const std::uint8_t> bytes) {
  ShapeDigest out;
  SHA256(bytes.data(), bytes.size(), out.data());
  return out;
}

ShapeDigest digest_of_pieces(std::span<const ShapeDigest> pieces) {
  return sha256({reinterpret_cast<const std::uint8_t*>(pieces.data()), pieces.size_bytes()});
}

ShapeLayout::ShapeLayout(const ShapeCounts& counts) {
  std::uint64_t at = ShapeHeader::bytes;
  const auto place = [&](Section section, std::uint64_t number, std::uint64_t size) {
    extents[static_cast<std::size_t>(section)] = {at, number * size};
    at += (number * size + alignment - 1) / alignment * alignment;
  };
  const auto bitmap = [&](Section words, Section ranks, std::uint64_t bits) {
    place(words, (bits + 63) / 64, 8);
    place(ranks, (bits + rank_block_bits - 1) / rank_block_bits, 4);
  };
  const std::uint64_t blocks = (counts.rows + shape_block_rows - 1) / shape_block_rows;
  place(Section::coefficients, counts.coefficients, 32);
  place(Section::pattern_begin, std::uint64_t{3} * counts.patterns + 1, 4);
  place(Section::pattern_coefficients, counts.pattern_coefficients, 4);
  bitmap(Section::a_aux_words, Section::a_aux_ranks, counts.aux);
  bitmap(Section::b_input_words, Section::b_input_ranks, counts.inputs);
  bitmap(Section::b_aux_words, Section::b_aux_ranks, counts.aux);
  bitmap(Section::is_bit_words, Section::is_bit_ranks, counts.aux);
  place(Section::row_patterns, counts.rows, 4);
  place(Section::a_begin, blocks + 1, 8);
  place(Section::a_columns, counts.terms[0], 4);
  place(Section::b_begin, blocks + 1, 8);
  place(Section::b_columns, counts.terms[1], 4);
  bytes_without_c = at;
  place(Section::c_begin, blocks + 1, 8);
  place(Section::c_columns, counts.terms[2], 4);
  bytes = at;
}

Result<ShapeHeader> ShapeHeader::parse(std::span<const std::uint8_t> start) {
  if (start.size() < bytes)
    return Error{ErrorCode::truncated,
                 fmt::format("shape: {} bytes, but the header alone takes {}", start.size(), bytes)};
  Raw raw;
  std::memcpy(&raw, start.data(), sizeof raw);
  if (raw.magic != magic)
    return Error{ErrorCode::malformed, fmt::format("shape: does not begin as {} does", shape_format)};
  if (raw.version != version)
    return Error{ErrorCode::mismatch,
                 fmt::format("shape: version {}, this program reads {}; make it anew", raw.version, version)};
  const auto found = sha256(start.first(digested));
  if (found != raw.digest)
    return Error{ErrorCode::malformed, "shape: the header differs from its digest; the file is damaged, make it anew"};
  if (const std::string limit = check_limits(raw); !limit.empty())
    return Error{ErrorCode::malformed, "shape: header out of bounds: " + limit};
  if (!std::ranges::all_of(start.subspan(sizeof raw, bytes - sizeof raw), [](std::uint8_t byte) { return byte == 0; }))
    return Error{ErrorCode::malformed, "shape: bytes after the header's digest are not zero"};
  return ShapeHeader{
      {raw.inputs, raw.aux, raw.rows, raw.terms, raw.coefficients, raw.patterns, raw.pattern_coefficients},
      raw.sections,
      raw.digest};
}

void ShapeHeader::write(std::span<std::uint8_t, bytes> out) {
  Raw raw{magic,
          version,
          static_cast<std::uint32_t>(shape_block_rows),
          counts.inputs,
          counts.aux,
          counts.rows,
          counts.terms,
          counts.coefficients,
          counts.patterns,
          counts.pattern_coefficients,
          sections,
          {}};
  std::ranges::fill(out, std::uint8_t{0});
  std::memcpy(out.data(), &raw, sizeof raw);
  digest = sha256(out.first(digested));
  std::memcpy(out.data() + digested, digest.data(), digest.size());
}

}  // namespace pinion::groth16
