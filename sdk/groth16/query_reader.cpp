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

// What one task reads: points `first` … of a section.
struct Chunk {
  KeySection section;
  std::uint64_t first, count;
};

// Of all queries, in file order.
std::vector<Chunk> chunks_of(const ParamsLayout& layout) {
  std::vector<Chunk> out;
  for (const KeySection section : {KeySection::h, KeySection::l, KeySection::a, KeySection::b_g1, KeySection::b_g2})
    for (std::uint64_t first = 0; first < layout[section].count; first += chunk_points)
      out.push_back({section, first, std::min(chunk_points, layout[section].count - first)});
  return out;
}

// A chunk and the place of its points: first their encodings, then the points themselves.
template <class Point>
struct PlacedChunk {
  const File& file;
  const Chunk& chunk;
  std::uint64_t offset;  // of the first byte in the file
  std::span<Point> points;

  PlacedChunk(const File& file, const ParamsLayout& layout, const Chunk& chunk, std::span<Point> points)
      : file(file), chunk(chunk), offset(layout[chunk.section].offset + chunk.first * sizeof(Point)), points(points) {}
  std::span<std::uint8_t> bytes() const {
    return {reinterpret_cast<std::uint8_t*>(points.data()), points.size_bytes()};
  }
  Result<void> read() const { return file.read_exactly(offset, bytes()); }
  Result<void> decode(bls::Check check) const {
    return PointDecoder<Point>(file, chunk.section, chunk.first, offset, check).decode(points);
  }
  Result<void> read_and_decode(bls::Check check) const {
    const auto done = read();
    return done ? decode(check) : done;
  }
};

// The error that stands first in the file, of those that parallel readers met.
class FirstError {
 public:
  bool any() const { return before(~std::uint64_t{0}); }
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

// Calls work(chunk) for every chunk in parallel; returns the first error in file order.
template <class Work>
Result<void> for_each_chunk(const ParamsLayout& layout, Executor& executor, Work&& work) {
  const std::vector<Chunk> chunks = chunks_of(layout);
  FirstError first;
  std::atomic<std::uint64_t> done{0};
  executor.for_each(chunks.size(), [&](std::uint64_t i) {
    if (first.before(i) || executor.cancelled()) return;
    if (const Result<void> result = work(chunks[i]); !result) first.meet(i, result.error());
    executor.progress(done.fetch_add(1, std::memory_order_relaxed) + 1, chunks.size());
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

// Calls f(PlacedChunk) with the chunk's place among the queries.
template <class F>
Result<void> placed(const File& file, const ParamsLayout& layout, const Chunk& chunk, const QuerySpans& out, F&& f) {
  if (chunk.section == KeySection::b_g2)
    return f(PlacedChunk(file, layout, chunk, out.b_g2.subspan(chunk.first, chunk.count)));
  return f(PlacedChunk(file, layout, chunk, g1_query(out, chunk.section).subspan(chunk.first, chunk.count)));
}

// A stretch of the file is read while the one before it is hashed, by one thread, and the one before that is decoded,
// over its own bytes.
class HashingReader {
 public:
  HashingReader(const File& file, const ParamsLayout& layout, bls::Check check, const QuerySpans& out,
                FileDigest& digest)
      : file_(file), layout_(layout), check_(check), out_(out), digest_(digest) {}

  Result<void> run(Executor& executor) {
    const std::uint64_t stretches = (chunks_.size() + stretch - 1) / stretch;
    for (std::uint64_t step = 0; step < stretches + 2 && !first_.any(); ++step) {
      turn(step, executor);
      executor.check();
      executor.progress(chunks_before(step), chunks_.size());
    }
    return first_.result();
  }

 private:
  static constexpr std::uint64_t stretch = 16;  // chunks: 25 to 50 MB, so that starting a loop costs nothing

  // Where stretch `number` begins.
  std::uint64_t chunks_before(std::uint64_t number) const {
    return std::min<std::uint64_t>(number * stretch, chunks_.size());
  }

  void turn(std::uint64_t step, Executor& executor) {
    const std::uint64_t read_first = chunks_before(step), read_end = chunks_before(step + 1);
    const std::uint64_t hash_first = step >= 1 ? chunks_before(step - 1) : 0;
    const std::uint64_t decode_first = step >= 2 ? chunks_before(step - 2) : 0;
    const std::uint64_t decode_end = step >= 2 ? hash_first : 0;
    const std::uint64_t reads = read_end - read_first;
    executor.for_each(1 + reads + decode_end - decode_first, [&](std::uint64_t i) {
      if (executor.cancelled()) return;
      if (i == 0)  // what takes longest comes first
        for (std::uint64_t chunk = hash_first; chunk < read_first; ++chunk)
          work(chunk, [&](const auto& here) { return digest_.add(here.offset, here.bytes()); });
      else if (i <= reads)
        work(read_first + i - 1, [](const auto& here) { return here.read(); });
      else
        work(decode_first + i - 1 - reads, [&](const auto& here) { return here.decode(check_); });
    });
  }
  template <class F>
  void work(std::uint64_t chunk, F&& f) {
    if (first_.before(chunk)) return;
    if (const auto result = placed(file_, layout_, chunks_[chunk], out_, f); !result)
      first_.meet(chunk, result.error());
  }

  const File& file_;
  const ParamsLayout& layout_;
  const bls::Check check_;
  const QuerySpans& out_;
  FileDigest& digest_;
  const std::vector<Chunk> chunks_ = chunks_of(layout_);
  FirstError first_;
};

}  // namespace

Result<void> read_queries(const File& file, const ParamsLayout& layout, bls::Check check, const QuerySpans& out,
                          Executor& executor, FileDigest* digest) {
  const KeyCounts& n = layout.counts;
  assert(out.h.size() == n.h && out.l.size() == n.l && out.a.size() == n.a);
  assert(out.b_g1.size() == n.b && out.b_g2.size() == n.b);
  if (digest != nullptr) return HashingReader(file, layout, check, out, *digest).run(executor);
  return for_each_chunk(layout, executor, [&](const Chunk& chunk) {
    return placed(file, layout, chunk, out, [&](const auto& here) { return here.read_and_decode(check); });
  });
}

Result<void> check_queries(const File& file, const ParamsLayout& layout, bls::Check check, Executor& executor) {
  const auto checked = [&]<class Point>(const Chunk& chunk, std::vector<Point> points) {
    return PlacedChunk(file, layout, chunk, std::span(points)).read_and_decode(check);
  };
  return for_each_chunk(layout, executor, [&](const Chunk& chunk) {
    if (chunk.section == KeySection::b_g2) return checked(chunk, std::vector<bls::G2Affine>(chunk.count));
    return checked(chunk, std::vector<bls::G1Affine>(chunk.count));
  });
}

}  // namespace pinion::groth16
