#include "params.hpp"

#include <fmt/format.h>

#include <vector>

#include "point_io.hpp"
#include "qap.hpp"
#include "shape.hpp"

namespace pinion::groth16 {

namespace {

constexpr std::array<KeySection, key_section_count> all_sections{KeySection::ic, KeySection::h,    KeySection::l,
                                                                 KeySection::a,  KeySection::b_g1, KeySection::b_g2};

constexpr std::uint64_t point_bytes(KeySection section) {
  return section == KeySection::b_g2 ? 192 : 96;
}

std::uint32_t count_of(const KeyCounts& counts, KeySection section) {
  return std::array{counts.ic, counts.h, counts.l, counts.a, counts.b, counts.b}[static_cast<std::size_t>(section)];
}

}  // namespace

const char* name_of(KeySection section) noexcept {
  constexpr std::array names{"ic", "h", "l", "a", "b_g1", "b_g2"};
  return names[static_cast<std::size_t>(section)];
}

KeyCounts KeyCounts::of(const Shape& shape) {
  return {.ic = shape.num_inputs(),
          .h = static_cast<std::uint32_t>(domain_size(shape) - 1),
          .l = shape.num_aux(),
          .a = static_cast<std::uint32_t>(shape.num_inputs() + shape.a_aux().ones),
          .b = static_cast<std::uint32_t>(shape.b_input().ones + shape.b_aux().ones)};
}

std::uint64_t ParamsLayout::query_bytes() const {
  std::uint64_t sum = 0;
  for (const KeySection section : all_sections)
    if (section != KeySection::ic) sum += (*this)[section].bytes;
  return sum;
}

ParamsLayout ParamsLayout::of(const KeyCounts& counts) {
  ParamsLayout out{.counts = counts, .sections = {}, .bytes = VerifyingKey::fixed_bytes};
  for (const KeySection section : all_sections) {
    const std::uint64_t count = count_of(counts, section);
    out.sections[static_cast<std::size_t>(section)] = {out.bytes + 4, count, count * point_bytes(section)};
    out.bytes += 4 + count * point_bytes(section);
  }
  return out;
}

Result<ParamsLayout> ParamsLayout::read(const File& file) {
  std::array<std::uint32_t, key_section_count> lengths{};
  std::uint64_t at = VerifyingKey::fixed_bytes;
  for (const KeySection section : all_sections) {
    if (at + 4 > file.size())
      return Error{ErrorCode::truncated, fmt::format("{}: ends at byte {}, before the length of {} at byte {}: it "
                                                     "is cut short, or not a parameter file",
                                                     file.name(), file.size(), name_of(section), at)};
    std::array<std::uint8_t, 4> bytes;
    if (auto read = file.read_exactly(at, bytes); !read) return read.error();
    const std::uint64_t length = lengths[static_cast<std::size_t>(section)] = read_u32_be(bytes.data());
    const std::uint64_t end = at + 4 + length * point_bytes(section);  // below 2^32 * 192 * 6: no overflow
    if (end > file.size())
      return Error{
          ErrorCode::truncated,
          fmt::format("{}: {} at byte {} says {} points, which would end at byte {}, but the file has {} bytes: "
                      "it is cut short, or not a parameter file",
                      file.name(), name_of(section), at, length, end, file.size())};
    at = end;
  }
  const auto [ic, h, l, a, b_g1, b_g2] = lengths;
  if (ic == 0)
    return Error{ErrorCode::malformed, fmt::format("{}: ic at byte {} has no points; there is always one for ONE",
                                                   file.name(), VerifyingKey::fixed_bytes)};
  if (b_g1 != b_g2)
    return Error{
        ErrorCode::malformed,
        fmt::format("{}: b_g1 has {} points and b_g2 has {}; both hold the same variables", file.name(), b_g1, b_g2)};
  ParamsLayout out = of({ic, h, l, a, b_g1});
  out.trailing = file.size() - out.bytes;
  return out;
}

Result<void> check_counts(const KeyCounts& found, const KeyCounts& expected, const std::string& path) {
  for (const KeySection section : all_sections)
    if (count_of(found, section) != count_of(expected, section))
      return Error{ErrorCode::mismatch,
                   fmt::format("{}: {} has {} points where the circuit needs {}: the key belongs to "
                               "another circuit",
                               shown(path), name_of(section), count_of(found, section), count_of(expected, section))};
  return {};
}

Result<VerifyingKey> read_verifying_key(const File& file, const ParamsLayout& layout) {
  std::vector<std::uint8_t> bytes(layout.verifying_key_bytes());
  if (auto read = file.read_exactly(0, bytes); !read) return read.error();
  return VerifyingKey::decode(bytes, file.name());
}

}  // namespace pinion::groth16
