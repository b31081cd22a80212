// read_queries and check_queries of params.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>
#include <pinion/bls12_381/simd/kernels.hpp>
#include <pinion/bls12_381/simd/subgroup.hpp>
#include <vector>

#include "params.hpp"
#include "point_io.hpp"
#include "random.hpp"

namespace pinion::groth16 {

namespace {

// Points decoded by one task: 1.5 MB of G1.
constexpr std::uint64_t chunk_points = 16384;
// Below, testing points one by one is as quick as all at once.
constexpr std::size_t least_batch = 64;

std::uint64_t chunks_of(const ParamsLayout::Extent& section) {
  return (section.count + chunk_points - 1) / chunk_points;
}

template <class Point>
const bls::simd::PointKernels& kernels_of() {
  const bls::simd::Kernels& kernels = bls::simd::best_kernels();
  if constexpr (std::is_same_v<Point, bls::G1Affine>) return kernels.g1;
  return kernels.g2;
}

// Decodes points of one section over their encodings: both forms have the same size.
template <class Point>
class PointDecoder {
 public:
  // Messages name the point at `first` + i of the section, which lies at byte `offset` + i * size of the file.
  PointDecoder(const File& file, KeySection section, std::uint64_t first, std::uint64_t offset, bls::Check check)
      : file_(file), section_(section), first_(first), offset_(offset), check_(check) {}

  Result<void> decode(std::span<Point> points) const {
    std::size_t good = 0;
    const auto decoded = decode_on_curve(points, good);
    if (check_ == bls::Check::curve) return decoded;
    const auto checked = check_subgroup(points.first(good));
    return checked ? decoded : checked;
  }

 private:
  static_assert(bls::uncompressed_size<Point> == sizeof(Point));
  using Field = decltype(Point::x);

  // `i` counts the points that are.
  Result<void> decode_on_curve(std::span<Point> points, std::size_t& i) const {
    const auto decode_eight = kernels_of<Point>().decode_eight;
    for (; i + 8 <= points.size(); i += 8) {
      auto* const eight = reinterpret_cast<std::uint64_t*>(&points[i]);
      const unsigned odd = decode_eight(reinterpret_cast<const std::uint8_t*>(eight), eight);
      for (std::size_t lane = 0; lane < 8; ++lane) {
        if ((odd >> lane & 1) == 0) continue;
        if (auto one = decode_one(points, i + lane); !one) {
          i += lane;
          return one;
        }
      }
    }
    for (; i < points.size(); ++i)
      if (auto one = decode_one(points, i); !one) return one;
    return {};
  }

  // All at once first: only where that fails, or would not pay, one by one.
  Result<void> check_subgroup(std::span<const Point> points) const {
    using Batch = bls::simd::SubgroupCheck<Field>;
    if (points.size() >= least_batch) {
      std::vector<std::uint8_t> random(Batch::bytes_per_point * points.size());
      system_random(random);
      if (Batch(points.size()).all(points, random)) return {};
    }
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!points[i].is_in_subgroup()) return fault(i, bls::describe(bls::DecodeError::not_in_subgroup));
    return {};
  }

  Result<void> decode_one(std::span<Point> points, std::size_t i) const {
    const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(&points[i]), sizeof(Point));
    const auto decoded = bls::decode_uncompressed<Point>(bytes.template first<sizeof(Point)>(), bls::Check::curve);
    if (const char* why = fault_of(decoded, Infinity::refused)) return fault(i, why);
    points[i] = decoded.point;
    return {};
  }
  Result<void> fault(std::size_t i, const char* why) const {
    return point_error(file_.path(), fmt::format("{}[{}]", name_of(section_), first_ + i), offset_ + i * sizeof(Point),
                       why);
  }

  const File& file_;
  KeySection section_;
  std::uint64_t first_, offset_;
  bls::Check check_;
};

template <class Point>
Result<void> read_points(const File& file, KeySection section, std::uint64_t section_offset, std::uint64_t first,
                         bls::Check check, std::span<Point> out) {
  const std::uint64_t offset = section_offset + first * sizeof(Point);
  const std::span<std::uint8_t> raw(reinterpret_cast<std::uint8_t*>(out.data()), out.size_bytes());
  if (auto read = file.read_exactly(offset, raw); !read) return read;
  return PointDecoder<Point>(file, section, first, offset, check).decode(out);
}

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

// Calls read(section, first point, points) for every chunk of the queries, in parallel; returns the first error in
// file order.
template <class Read>
Result<void> for_each_chunk(const ParamsLayout& layout, Executor& executor, Read&& read) {
  constexpr std::array queries{KeySection::h, KeySection::l, KeySection::a, KeySection::b_g1, KeySection::b_g2};
  std::uint64_t total = 0;
  for (const KeySection section : queries) total += chunks_of(layout[section]);
  FirstError first;
  std::atomic<std::uint64_t> done{0};
  executor.for_each(total, [&](std::uint64_t task) {
    if (first.before(task) || executor.cancelled()) return;
    std::uint64_t chunk = task;
    std::size_t q = 0;
    while (chunk >= chunks_of(layout[queries[q]])) chunk -= chunks_of(layout[queries[q++]]);
    const std::uint64_t begin = chunk * chunk_points;
    const Result<void> result = read(queries[q], begin, std::min(chunk_points, layout[queries[q]].count - begin));
    if (!result) first.meet(task, result.error());
    executor.progress(done.fetch_add(1, std::memory_order_relaxed) + 1, total);
  });
  executor.check();
  return first.result();
}

std::span<bls::G1Affine> g1_query(const QuerySpans& spans, KeySection section) {
  switch (section) {
    case KeySection::h:
      return spans.h;
    case KeySection::l:
      return spans.l;
    case KeySection::a:
      return spans.a;
    default:
      return spans.b_g1;
  }
}

}  // namespace

Result<void> read_queries(const File& file, const ParamsLayout& layout, bls::Check check, const QuerySpans& out,
                          Executor& executor) {
  const KeyCounts& n = layout.counts;
  assert(out.h.size() == n.h && out.l.size() == n.l && out.a.size() == n.a);
  assert(out.b_g1.size() == n.b && out.b_g2.size() == n.b);
  return for_each_chunk(layout, executor, [&](KeySection section, std::uint64_t first, std::uint64_t count) {
    const std::uint64_t offset = layout[section].offset;
    if (section == KeySection::b_g2)
      return read_points(file, section, offset, first, check, out.b_g2.subspan(first, count));
    return read_points(file, section, offset, first, check, g1_query(out, section).subspan(first, count));
  });
}

Result<void> check_queries(const File& file, const ParamsLayout& layout, bls::Check check, Executor& executor) {
  return for_each_chunk(layout, executor, [&](KeySection section, std::uint64_t first, std::uint64_t count) {
    const std::uint64_t offset = layout[section].offset;
    if (section == KeySection::b_g2) {
      std::vector<bls::G2Affine> points(count);
      return read_points(file, section, offset, first, check, std::span(points));
    }
    std::vector<bls::G1Affine> points(count);
    return read_points(file, section, offset, first, check, std::span(points));
  });
}

}  // namespace pinion::groth16
