#include "params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <mutex>
#include <vector>

#include "point_io.hpp"
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

// Points decoded by one task: 1.5 MB of G1.
constexpr std::uint64_t chunk_points = 16384;

// Reads raw points over the place where they shall stand decoded: both forms have the same size.
template <class Point>
class SectionReader {
 public:
  SectionReader(const File& file, KeySection section, std::uint64_t offset, bls::Check check, std::span<Point> out)
      : file_(file), section_(section), offset_(offset), check_(check), out_(out) {}

  std::uint64_t chunks() const { return (out_.size() + chunk_points - 1) / chunk_points; }

  Result<void> read_chunk(std::uint64_t chunk) const {
    const std::uint64_t begin = chunk * chunk_points;
    const auto points = out_.subspan(begin, std::min<std::uint64_t>(chunk_points, out_.size() - begin));
    const std::span<std::uint8_t> raw(reinterpret_cast<std::uint8_t*>(points.data()), points.size_bytes());
    if (auto read = file_.read_exactly(offset_ + begin * sizeof(Point), raw); !read) return read;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto bytes = raw.subspan(i * sizeof(Point)).template first<sizeof(Point)>();
      const auto decoded = bls::decode_uncompressed<Point>(bytes, check_);
      if (const char* fault = fault_of(decoded, Infinity::refused))
        return point_error(file_.path(), fmt::format("{}[{}]", name_of(section_), begin + i),
                           offset_ + (begin + i) * sizeof(Point), fault);
      points[i] = decoded.point;
    }
    return {};
  }

 private:
  static_assert(bls::uncompressed_size<Point> == sizeof(Point));
  const File& file_;
  KeySection section_;
  std::uint64_t offset_;
  bls::Check check_;
  std::span<Point> out_;
};

// The error that stands first in the file, of those that parallel readers met.
class FirstError {
 public:
  bool before(std::uint64_t position) const { return position_.load(std::memory_order_relaxed) < position; }
  void meet(std::uint64_t position, const Error& error) {
    const std::lock_guard lock(mutex_);
    if (before(position)) return;
    position_.store(position, std::memory_order_relaxed);
    error_ = error;
  }
  Result<void> result() const { return error_ ? Result<void>(*error_) : Result<void>(); }

 private:
  std::atomic<std::uint64_t> position_{~std::uint64_t{0}};
  std::mutex mutex_;
  std::optional<Error> error_;
};

}  // namespace

const char* name_of(KeySection section) noexcept {
  constexpr std::array names{"ic", "h", "l", "a", "b_g1", "b_g2"};
  return names[static_cast<std::size_t>(section)];
}

KeyCounts KeyCounts::of(const Shape& shape) {
  return {.ic = shape.num_inputs(),
          .h = static_cast<std::uint32_t>(std::bit_ceil(shape.num_rows()) - 1),
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
      return Error{ErrorCode::truncated, fmt::format("{}: ends at byte {}, before the length of {} at byte {}",
                                                     file.path(), file.size(), name_of(section), at)};
    std::array<std::uint8_t, 4> bytes;
    if (auto read = file.read_exactly(at, bytes); !read) return read.error();
    const std::uint64_t length = lengths[static_cast<std::size_t>(section)] = read_u32_be(bytes.data());
    const std::uint64_t end = at + 4 + length * point_bytes(section);  // below 2^32 * 192 * 6: no overflow
    if (end > file.size())
      return Error{
          ErrorCode::truncated,
          fmt::format("{}: {} at byte {} says {} points, which would end at byte {}, but the file has {} bytes: "
                      "it is cut short, or not a parameter file",
                      file.path(), name_of(section), at, length, end, file.size())};
    at = end;
  }
  const auto [ic, h, l, a, b_g1, b_g2] = lengths;
  if (ic == 0)
    return Error{ErrorCode::malformed, fmt::format("{}: ic at byte {} has no points; there is always one for ONE",
                                                   file.path(), VerifyingKey::fixed_bytes)};
  if (b_g1 != b_g2)
    return Error{
        ErrorCode::malformed,
        fmt::format("{}: b_g1 has {} points and b_g2 has {}; both hold the same variables", file.path(), b_g1, b_g2)};
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
                               path, name_of(section), count_of(found, section), count_of(expected, section))};
  return {};
}

Result<VerifyingKey> read_verifying_key(const File& file, const ParamsLayout& layout) {
  std::vector<std::uint8_t> bytes(layout.verifying_key_bytes());
  if (auto read = file.read_exactly(0, bytes); !read) return read.error();
  return VerifyingKey::decode(bytes, file.path());
}

Result<void> read_queries(const File& file, const ParamsLayout& layout, bls::Check check, const QuerySpans& out,
                          Executor& executor) {
  const auto g1 = [&](KeySection section, std::span<bls::G1Affine> points) {
    assert(points.size() == layout[section].count);
    return SectionReader<bls::G1Affine>(file, section, layout[section].offset, check, points);
  };
  assert(out.b_g2.size() == layout.counts.b);
  const std::array g1_readers{g1(KeySection::h, out.h), g1(KeySection::l, out.l), g1(KeySection::a, out.a),
                              g1(KeySection::b_g1, out.b_g1)};
  const SectionReader<bls::G2Affine> g2_reader(file, KeySection::b_g2, layout[KeySection::b_g2].offset, check,
                                               out.b_g2);
  std::uint64_t chunks = g2_reader.chunks();
  for (const auto& reader : g1_readers) chunks += reader.chunks();

  FirstError first;
  std::atomic<std::uint64_t> done{0};
  executor.for_each(chunks, [&](std::uint64_t task) {
    if (first.before(task) || executor.cancelled()) return;
    const Result<void> read = [&] {
      std::uint64_t chunk = task;
      for (const auto& reader : g1_readers) {
        if (chunk < reader.chunks()) return reader.read_chunk(chunk);
        chunk -= reader.chunks();
      }
      return g2_reader.read_chunk(chunk);
    }();
    if (!read) first.meet(task, read.error());
    executor.progress(done.fetch_add(1, std::memory_order_relaxed) + 1, chunks);
  });
  executor.check();
  return first.result();
}

}  // namespace pinion::groth16
