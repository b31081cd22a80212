// read_queries and check_queries of params.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>
#include <vector>

#include "params.hpp"
#include "point_decoder.hpp"

namespace pinion::groth16 {

namespace {

// Points decoded by one task: 1.5 MB of G1.
constexpr std::uint64_t chunk_points = 16384;
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

// Calls work(number, chunk) for every chunk in parallel; returns the first error in file order.
template <class Work>
Result<void> for_each_chunk(const ParamsLayout& layout, Executor& executor, Work&& work) {
  const std::vector<Chunk> chunks = chunks_of(layout);
  FirstError first;
  std::atomic<std::uint64_t> done{0};
  executor.for_each(chunks.size(), [&](std::uint64_t i) {
    if (first.before(i) || executor.cancelled()) return;
    if (const Result<void> result = work(i, chunks[i]); !result) first.meet(i, result.error());
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

// Where the queries go as a whole: the caller's memory. Calls f(PlacedChunk) with the chunk's place among them.
struct WholeKey {
  const File& file;
  const ParamsLayout& layout;
  const QuerySpans& out;

  template <class F>
  Result<void> place(std::uint64_t /*number*/, const Chunk& chunk, F&& f) const {
    if (chunk.section == KeySection::b_g2)
      return f(PlacedChunk(file, layout, chunk, out.b_g2.subspan(chunk.first, chunk.count)));
    return f(PlacedChunk(file, layout, chunk, g1_query(out, chunk.section).subspan(chunk.first, chunk.count)));
  }
};

// Room for `chunks` chunks in a row, which those that follow take over.
class Ring {
 public:
  Ring(const File& file, const ParamsLayout& layout, std::uint64_t chunks)
      : file_(file), layout_(layout), slots_(static_cast<std::size_t>(chunks)) {}

  // Only one caller at a time for each slot; f is called as WholeKey calls it.
  template <class F>
  Result<void> place(std::uint64_t number, const Chunk& chunk, F&& f) {
    Slot& slot = slots_[static_cast<std::size_t>(number % slots_.size())];
    if (chunk.section == KeySection::b_g2) {
      slot.g1 = {};
      return f(PlacedChunk(file_, layout_, chunk, resized(slot.g2, chunk.count)));
    }
    return f(PlacedChunk(file_, layout_, chunk, resized(slot.g1, chunk.count)));
  }

 private:
  struct Slot {
    std::vector<bls::G1Affine> g1;
    std::vector<bls::G2Affine> g2;
  };
  template <class Point>
  static std::span<Point> resized(std::vector<Point>& points, std::uint64_t count) {
    points.resize(static_cast<std::size_t>(count));
    return points;
  }

  const File& file_;
  const ParamsLayout& layout_;
  std::vector<Slot> slots_;
};

// A stretch of the file, so many chunks, is read while the one before it is hashed, by one thread, and the one before
// that is decoded, over its own bytes.
constexpr std::uint64_t stretches_at_once = 3;

template <class Room>
class HashingReader {
 public:
  HashingReader(const ParamsLayout& layout, bls::Check check, std::uint64_t stretch, Room& room, FileDigest& digest)
      : check_(check), stretch_(stretch), room_(room), digest_(digest), chunks_(chunks_of(layout)) {}

  Result<void> run(Executor& executor) {
    const std::uint64_t stretches = (chunks_.size() + stretch_ - 1) / stretch_;
    for (std::uint64_t step = 0; step < stretches + stretches_at_once - 1 && !first_.any(); ++step) {
      turn(step, executor);
      executor.check();
      executor.progress(chunks_before(step), chunks_.size());
    }
    return first_.result();
  }

 private:
  // Where stretch `number` begins.
  std::uint64_t chunks_before(std::uint64_t number) const {
    return std::min<std::uint64_t>(number * stretch_, chunks_.size());
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
    if (const auto result = room_.place(chunk, chunks_[chunk], f); !result) first_.meet(chunk, result.error());
  }

  const bls::Check check_;
  const std::uint64_t stretch_;
  Room& room_;
  FileDigest& digest_;
  const std::vector<Chunk> chunks_;
  FirstError first_;
};

}  // namespace

Result<void> read_queries(const File& file, const ParamsLayout& layout, bls::Check check, const QuerySpans& out,
                          Executor& executor, FileDigest* digest) {
  const KeyCounts& n = layout.counts;
  assert(out.h.size() == n.h && out.l.size() == n.l && out.a.size() == n.a);
  assert(out.b_g1.size() == n.b && out.b_g2.size() == n.b);
  WholeKey key{file, layout, out};
  constexpr std::uint64_t stretch = 16;  // 25 to 50 MB, so that starting a loop costs nothing
  if (digest != nullptr) return HashingReader(layout, check, stretch, key, *digest).run(executor);
  return for_each_chunk(layout, executor, [&](std::uint64_t number, const Chunk& chunk) {
    return key.place(number, chunk, [&](const auto& here) { return here.read_and_decode(check); });
  });
}

std::uint64_t check_queries_bytes(std::uint32_t width) {
  constexpr std::uint64_t chunk_bytes = chunk_points * sizeof(bls::G2Affine);
  constexpr std::uint64_t subgroup_bytes = std::uint64_t{8} << 20;
  return width * (stretches_at_once * chunk_bytes + subgroup_bytes);
}

Result<void> check_queries(const File& file, const ParamsLayout& layout, bls::Check check, FileDigest& digest,
                           Executor& executor) {
  const std::uint64_t stretch = executor.width();
  Ring ring(file, layout, stretches_at_once * stretch);
  return HashingReader(layout, check, stretch, ring, digest).run(executor);
}

}  // namespace pinion::groth16
