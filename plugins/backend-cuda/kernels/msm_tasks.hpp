// The steps of a sum of multiples, between msm.cu (the order of things) and the kernels of each step.
#pragma once

#include "msm.hpp"

namespace pinion::cuda {
struct G1;
struct G2;
}  // namespace pinion::cuda

namespace pinion::cuda::msm_steps {

inline constexpr std::uint32_t negative = 0x80000000;  // in a sorted value: the point is subtracted

// What the points of a group of windows are added by: task t adds values[begin[t]] … of length[t] to sums[t], and the
// tasks of bucket b are first[b] … first[b + 1] - 1.
struct Tasks {
  const std::uint32_t* values;
  std::uint32_t* begin;
  std::uint32_t* length;
  std::uint32_t* first;  // buckets + 1
  std::uint32_t* order;  // tasks, longest first
  std::size_t buckets, capacity;
  unsigned max_length;
  unsigned scratch_bits;  // of max_length
};

// keys[w * size + i], values[…] for the windows [from, from + count): bucket within the group, and i with its sign.
// Digits of zero get the key `count << (bits - 1)`, behind all buckets.
Status write_digits(const MsmInput& input, const Windows& windows, unsigned from, unsigned count, std::uint32_t* keys,
                    std::uint32_t* values, Stream stream);
// From keys sorted: the tasks of all buckets. `bounds`: 2 * buckets + 2 words, `work`: 4 * capacity words.
Status make_tasks(const std::uint32_t* keys, std::size_t count, const Tasks& tasks, std::uint32_t* bounds,
                  std::uint32_t* work, void* scratch, std::size_t scratch_bytes, Stream stream);
// All values in one bucket: *count of them, cut evenly into tasks.capacity tasks.
Status make_slices(const std::uint32_t* count, const Tasks& tasks, Stream stream);

// The same tasks added all at once, a value of each a round, as affine points: G1 only. Rank r is the task order[r];
// those that have a value left in a round are the first ones. Worker w (a thread) has the ranks w, w + workers, …
struct Rounds {
  std::uint32_t workers;  // a multiple of rounds_threads
  std::uint32_t* values;  // round k adds values[start[k] + r] to the task of rank r, for r < width[k]
  std::uint32_t* start;   // max_length + 2
  std::uint32_t* width;   // as many
  std::uint32_t* made;    // how many rounds were: the values that the sums have
  void* sums;             // see msm_rounds.cuh
};
// What make_rounds takes of an arena.
std::size_t rounds_bytes(std::size_t tasks, unsigned max_length, std::uint32_t workers);
// `values`: as many words as the tasks have values.
Status make_rounds(const Tasks& tasks, std::uint32_t* values, std::uint32_t workers, Arena& arena, void* scratch,
                   std::size_t scratch_bytes, Rounds& out, Stream stream);
// Rounds until they are narrow.
Status add_in_rounds(const Rounds& rounds, const void* points, Stream stream);

template <class Group>
struct Steps {
  // sums: tasks.capacity XYZZ points. `rounds`: what was added before; without sums: nothing.
  static Status accumulate(const Tasks& tasks, const Rounds& rounds, const void* points, void* sums, Stream stream);
  // The buckets with several tasks: their sum goes to the first. heavy: 1 + capacity words.
  static Status combine(const Tasks& tasks, void* sums, std::uint32_t* heavy, Stream stream);
  // One level of sum_b weight(b) S_b: chunks of `chunk` items become one pair (weighted, plain), see msm_reduce.cuh.
  // Level 0 reads the buckets' sums: `tasks` not null.
  static Status reduce(const Tasks* tasks, const void* weighted_in, const void* plain_in, void* weighted_out,
                       void* plain_out, std::size_t items, unsigned chunk, unsigned weight_lg, Stream stream);
  // sums[0] becomes the sum of `count` points, which are overwritten.
  static Status fold(void* sums, std::size_t count, Stream stream);
  // out[i] = a[i] + b[i]
  static Status add_pairs(const void* a, const void* b, void* out, std::size_t count, Stream stream);
};

}  // namespace pinion::cuda::msm_steps
