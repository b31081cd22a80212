#include <algorithm>
#include <bit>

#include "curve.cuh"
#include "launch.cuh"
#include "msm.hpp"
#include "msm_tasks.hpp"
#include "parameters.hpp"
#include "sort.hpp"

namespace pinion::cuda {

using msm_steps::Rounds;
using msm_steps::Steps;
using msm_steps::Tasks;

namespace {

constexpr std::size_t max_pairs = std::size_t{1} << 30;  // of digits sorted at once
constexpr unsigned first_chunk = 32, later_chunk = 8;    // items a thread reduces
constexpr unsigned shortest_slice = 16;                  // of a sum of points

std::size_t buckets_of(const Windows& windows) {
  return std::size_t{1} << (windows.bits - 1);
}

// The tasks of a group of windows.
struct GroupTasks {
  GroupTasks(std::size_t size, const Windows& windows, unsigned count)
      : pairs(size * count), buckets(buckets_of(windows) * count) {
    const std::size_t average = size / std::max<std::size_t>(1, buckets_of(windows) / 2);
    max_length = static_cast<unsigned>(std::clamp<std::size_t>(std::bit_ceil(4 * average + 1), 32, 1024));
    capacity = buckets + pairs / max_length + 1;
  }
  // The digits as they were before sorting are dead when rounds begin; so are the sorted keys.
  std::size_t spare_bytes() const { return 2 * Arena::padded(pairs * sizeof(std::uint32_t)); }
  bool are_for_rounds(Curve curve, std::uint32_t workers) const {
    return curve == Curve::g1 && capacity >= std::size_t{rounds_least_batch} * workers &&
           msm_steps::rounds_bytes(capacity, max_length, workers) <= spare_bytes();
  }
  std::size_t pairs, buckets, capacity;
  unsigned max_length;
};

// What they take, in the order it is taken from the arena.
struct GroupMemory : GroupTasks {
  GroupMemory(Curve curve, std::size_t size, const Windows& windows, unsigned count)
      : GroupTasks(size, windows, count) {
    scratch = sort_scratch_bytes(std::max({pairs, capacity, buckets + 1}));
    words = 4 * pairs + 3 * capacity + (buckets + 1) + (2 * buckets + 2) + 4 * capacity + (capacity + 1);
    bytes = Arena::padded(scratch) + Arena::padded(capacity * xyzz_bytes(curve)) + 4 * words + 16 * 256;
  }
  std::size_t scratch, words, bytes;
};

std::size_t chunks(std::size_t items, unsigned chunk) {
  return (items + chunk - 1) / chunk;
}

// One item (weighted, plain) for every `first_chunk` buckets of all windows, twice for the levels above.
std::size_t level_items(const Windows& windows) {
  return windows.count * chunks(buckets_of(windows), first_chunk);
}
std::size_t level_bytes(Curve curve, const Windows& windows) {
  return 2 * Arena::padded(level_items(windows) * xyzz_bytes(curve)) +
         3 * Arena::padded(chunks(level_items(windows), later_chunk) * xyzz_bytes(curve) +
                           max_windows * xyzz_bytes(curve));
}

template <class T>
Status take_tasks(Tasks& tasks, Arena& arena, std::size_t buckets, T capacity) {
  tasks.buckets = buckets;
  tasks.capacity = capacity;
  PINION_TRY(arena.take(tasks.begin, capacity, "the tasks of a sum"));
  PINION_TRY(arena.take(tasks.length, capacity, "the tasks of a sum"));
  PINION_TRY(arena.take(tasks.order, capacity, "the tasks of a sum"));
  return arena.take(tasks.first, buckets + 1, "the tasks of a sum");
}

template <class Group, Curve curve>
struct Msm {
  const MsmInput& input;
  Arena& arena;
  Stream stream;
  Windows windows;
  std::byte *weighted = nullptr, *plain = nullptr;  // of level 0, all windows

  Status run(MsmOutput& out) {
    windows = windows_for(curve, input.size);
    const std::size_t items = level_items(windows);
    PINION_TRY(arena.take(weighted, items * xyzz_bytes(curve), "the reduced buckets"));
    PINION_TRY(arena.take(plain, items * xyzz_bytes(curve), "the reduced buckets"));
    for (unsigned from = 0; from < windows.count;) {
      const unsigned count = group_size(windows.count - from);
      PINION_TRY(group(from, count));
      from += count;
    }
    out.windows = windows;
    return levels(out.sums);
  }

  // As many windows as the arena has room for, beside what the levels will need.
  unsigned group_size(unsigned left) const {
    const std::size_t room = arena.size() - arena.used();
    const std::size_t later = level_bytes(curve, windows);
    unsigned count = 1;
    while (count < left && GroupMemory(curve, input.size, windows, count + 1).bytes + later <= room &&
           GroupMemory(curve, input.size, windows, count + 1).pairs <= max_pairs)
      ++count;
    const std::size_t groups = chunks(left, count);  // of like size
    return static_cast<unsigned>(chunks(left, static_cast<unsigned>(groups)));
  }

  Status group(unsigned from, unsigned count) {
    const ArenaScope scope(arena);
    const GroupMemory need(curve, input.size, windows, count);
    std::uint32_t *keys = nullptr, *values = nullptr, *sorted_keys = nullptr, *sorted_values = nullptr;
    std::uint32_t *bounds = nullptr, *work = nullptr, *heavy = nullptr;
    std::byte *scratch = nullptr, *sums = nullptr;
    PINION_TRY(arena.take(sorted_values, need.pairs, "the sorted digits"));
    PINION_TRY(arena.take(keys, need.pairs, "the digits"));
    PINION_TRY(arena.take(values, need.pairs, "the digits"));
    PINION_TRY(arena.take(sorted_keys, need.pairs, "the sorted digits"));
    PINION_TRY(arena.take(scratch, need.scratch, "sorting"));
    PINION_TRY(arena.take(bounds, 2 * need.buckets + 2, "the buckets' bounds"));
    PINION_TRY(arena.take(work, 4 * need.capacity, "the tasks of a sum"));
    PINION_TRY(arena.take(heavy, need.capacity + 1, "the long buckets"));
    PINION_TRY(arena.take(sums, need.capacity * xyzz_bytes(curve), "the buckets"));
    Tasks tasks{};
    PINION_TRY(take_tasks(tasks, arena, need.buckets, need.capacity));
    tasks.values = sorted_values;
    tasks.max_length = need.max_length;
    tasks.scratch_bits = static_cast<unsigned>(std::bit_width(need.max_length));

    PINION_TRY(msm_steps::write_digits(input, windows, from, count, keys, values, stream));
    const unsigned key_bits = static_cast<unsigned>(std::bit_width(need.buckets));
    PINION_TRY(
        sort_pairs(keys, sorted_keys, values, sorted_values, need.pairs, key_bits, scratch, need.scratch, stream));
    PINION_TRY(msm_steps::make_tasks(sorted_keys, need.pairs, tasks, bounds, work, scratch, need.scratch, stream));
    Rounds rounds{};
    if (need.are_for_rounds(curve, input.workers)) {
      Arena spare(values, need.spare_bytes());  // and sorted_keys
      PINION_TRY(msm_steps::make_rounds(tasks, keys, input.workers, spare, scratch, need.scratch, rounds, stream));
      PINION_TRY(msm_steps::add_in_rounds(rounds, input.points, stream));
    }
    PINION_TRY(Steps<Group>::accumulate(tasks, rounds, input.points, sums, stream));
    PINION_TRY(Steps<Group>::combine(tasks, sums, heavy, stream));
    const std::size_t offset = from * chunks(buckets_of(windows), first_chunk) * xyzz_bytes(curve);
    return Steps<Group>::reduce(&tasks, nullptr, sums, weighted + offset, plain + offset, need.buckets,
                                static_cast<unsigned>(std::min<std::size_t>(first_chunk, buckets_of(windows))), 0,
                                stream);
  }

  Status levels(const void*& sums) {
    std::size_t per_window = chunks(buckets_of(windows), first_chunk);
    unsigned weight_lg =
        static_cast<unsigned>(std::bit_width(std::min<std::size_t>(first_chunk, buckets_of(windows)))) - 1;
    std::byte *a = weighted, *r = plain, *other_a = nullptr, *other_r = nullptr, *result = nullptr;
    const std::size_t half = (chunks(level_items(windows), later_chunk) + max_windows) * xyzz_bytes(curve);
    PINION_TRY(arena.take(other_a, half, "the reduced buckets"));
    PINION_TRY(arena.take(other_r, half, "the reduced buckets"));
    PINION_TRY(arena.take(result, windows.count * xyzz_bytes(curve), "the windows' sums"));
    while (per_window > 1) {
      const unsigned chunk = static_cast<unsigned>(std::min<std::size_t>(later_chunk, per_window));
      PINION_TRY(
          Steps<Group>::reduce(nullptr, a, r, other_a, other_r, per_window * windows.count, chunk, weight_lg, stream));
      std::swap(a, other_a);
      std::swap(r, other_r);
      per_window /= chunk;
      weight_lg += static_cast<unsigned>(std::bit_width(chunk)) - 1;
    }
    sums = result;
    return Steps<Group>::add_pairs(a, r, result, windows.count, stream);
  }
};

// All windows of a sum, by the times of parameters.hpp.
double nanoseconds(Curve curve, std::size_t size, const Windows& windows) {
  const GroupTasks tasks(size, windows, windows.count);
  // A window that is one bit narrower uses half of its buckets.
  const double buckets = static_cast<double>(buckets_of(windows) * (windows.count + windows.wide)) / 2;
  const double in_rounds =
      tasks.are_for_rounds(curve, rounds_workers) ? round_ns + inverse_ns * rounds_workers / buckets : xyzz_ns;
  return static_cast<double>(tasks.pairs) * (sort_ns + std::min(in_rounds, xyzz_ns)) + buckets * bucket_ns;
}

}  // namespace

Windows windows_for(Curve curve, std::size_t size) {
  Windows best;
  double least = 0;
  for (unsigned count = 12; count <= max_windows; ++count) {
    const unsigned base = 256 / count, rest = 256 % count;
    const Windows windows{count, rest != 0 ? base + 1 : base, rest != 0 ? rest : count};
    const double time = nanoseconds(curve, size, windows);
    if (best.count == 0 || time < least) {
      best = windows;
      least = time;
    }
  }
  return best;
}

std::size_t msm_least_bytes(Curve curve, std::size_t size) {
  const Windows windows = windows_for(curve, size);
  return GroupMemory(curve, size, windows, 1).bytes + level_bytes(curve, windows);
}

std::size_t msm_most_bytes(Curve curve, std::size_t size) {
  const Windows windows = windows_for(curve, size);
  const std::size_t at_once = std::clamp<std::size_t>(max_pairs / std::max<std::size_t>(1, size), 1, windows.count);
  const std::size_t groups = chunks(windows.count, static_cast<unsigned>(at_once));
  const auto count = static_cast<unsigned>(chunks(windows.count, static_cast<unsigned>(groups)));
  return GroupMemory(curve, size, windows, count).bytes + 2 * level_bytes(curve, windows);
}

Status msm(Curve curve, const MsmInput& input, Arena& arena, MsmOutput& out, Stream stream) {
  if (input.size >= std::size_t{1} << 28)
    return {Status::bad_argument,
            "a sum of " + std::to_string(input.size) + " multiples was asked for; below 2^28 fit"};
  if (curve == Curve::g1) return Msm<G1, Curve::g1>{input, arena, stream, {}}.run(out);
  return Msm<G2, Curve::g2>{input, arena, stream, {}}.run(out);
}

namespace {

std::size_t slices_for(Curve curve, std::size_t max_count) {
  const std::size_t workers = curve == Curve::g1 ? sum_workers_g1 : sum_workers_g2;
  return std::clamp<std::size_t>(chunks(max_count, shortest_slice), 1, workers);
}

template <class Group>
Status sum_slices(const Tasks& tasks, const void* points, std::byte* sums, Stream stream) {
  PINION_TRY(Steps<Group>::accumulate(tasks, Rounds{}, points, sums, stream));
  return Steps<Group>::fold(sums, tasks.capacity, stream);
}

}  // namespace

std::size_t sum_of_points_bytes(Curve curve, std::size_t max_count) {
  const std::size_t capacity = slices_for(curve, max_count);
  return Arena::padded(capacity * xyzz_bytes(curve)) + 3 * Arena::padded(capacity * sizeof(std::uint32_t)) +
         Arena::padded(2 * sizeof(std::uint32_t));
}

Status sum_of_points(Curve curve, const void* points, const std::uint32_t* list, const std::uint32_t* count,
                     std::size_t max_count, Arena& arena, const void*& out, Stream stream) {
  const std::size_t capacity = slices_for(curve, max_count);
  Tasks tasks{};
  std::byte* sums = nullptr;
  PINION_TRY(arena.take(sums, capacity * xyzz_bytes(curve), "the partial sums of points"));
  PINION_TRY(take_tasks(tasks, arena, 1, capacity));
  tasks.values = list;
  out = sums;
  PINION_TRY(msm_steps::make_slices(count, tasks, stream));
  return curve == Curve::g1 ? sum_slices<G1>(tasks, points, sums, stream) : sum_slices<G2>(tasks, points, sums, stream);
}

}  // namespace pinion::cuda
