// Signed digits, bucket bounds and tasks. A digit of w bits lies in [-2^(w-1), 2^(w-1)): with the constant that has the
// top bit of each window added to the scalar, every digit is read off without the carries of the others.
#include <algorithm>

#include "fr.cuh"
#include "launch.cuh"
#include "msm_tasks.hpp"
#include "parameters.hpp"
#include "sort.hpp"

namespace pinion::cuda::msm_steps {
namespace {

constexpr unsigned threads = stream_threads;

struct DigitArguments {
  const Fr* scalars;
  const u32* point_index;
  u32* keys;
  u32* values;
  std::size_t size;
  Windows windows;
  unsigned from, count;
  u32 shift[8];  // sum over windows of 2^(offset + width - 1)
};

__global__ void digits_kernel(const DigitArguments to) {
  const std::size_t i = global_thread();
  if (i >= to.size) return;
  Fr s = from_montgomery(to.scalars[i]);
  u32 words[9];
  words[0] = add_cc(s.limb[0], to.shift[0]);
  PINION_UNROLL
  for (unsigned j = 1; j < 8; ++j) words[j] = addc_cc(s.limb[j], to.shift[j]);
  words[8] = 0;
  const u32 index = to.point_index != nullptr ? to.point_index[i] : static_cast<u32>(i);
  const u32 none = to.count << (to.windows.bits - 1);
  for (unsigned w = 0; w < to.count; ++w) {
    const unsigned window = to.from + w;
    const unsigned width = window < to.windows.wide ? to.windows.bits : to.windows.bits - 1;
    const unsigned offset = window * (to.windows.bits - 1) + (window < to.windows.wide ? window : to.windows.wide);
    u32 low = 0, high = 0;
    PINION_UNROLL
    for (unsigned j = 0; j < 8; ++j) {  // constant indices keep `words` in registers
      low = offset / 32 == j ? words[j] : low;
      high = offset / 32 == j ? words[j + 1] : high;
    }
    const u32 raw = static_cast<u32>((u64{high} << 32 | low) >> (offset % 32)) & ((1U << width) - 1);
    const u32 half = 1U << (width - 1);
    const bool minus = raw < half;
    const u32 magnitude = minus ? half - raw : raw - half;
    to.keys[w * to.size + i] = magnitude == 0 ? none : (w << (to.windows.bits - 1)) + magnitude - 1;
    to.values[w * to.size + i] = index | (minus ? negative : 0);
  }
}

// bounds[b], bounds[buckets + b]: where bucket b begins and ends among the sorted keys; zero for an empty one.
__global__ void bounds_kernel(const u32* keys, std::size_t count, std::size_t buckets, u32* bounds) {
  const std::size_t i = global_thread();
  if (i >= count) return;
  const u32 key = keys[i];
  if (key >= buckets) return;
  if (i == 0 || keys[i - 1] != key) bounds[key] = static_cast<u32>(i);
  if (i + 1 == count || keys[i + 1] != key) bounds[buckets + key] = static_cast<u32>(i + 1);
}

__global__ void count_kernel(const u32* bounds, std::size_t buckets, unsigned max_length, u32* counts) {
  const std::size_t b = global_thread();
  if (b > buckets) return;
  counts[b] = b < buckets ? (bounds[buckets + b] - bounds[b] + max_length - 1) / max_length : 0;
}

// Splits each bucket evenly; order keys make the longest come first, unused tasks last.
__global__ void tasks_kernel(const u32* bounds, const Tasks tasks, u32* keys, u32* values) {
  const std::size_t b = global_thread();
  if (b >= tasks.buckets) return;
  const u32 first = tasks.first[b], count = tasks.first[b + 1] - first, begin = bounds[b];
  const u64 length = bounds[tasks.buckets + b] - begin;
  for (u32 k = 0; k < count; ++k) {
    const u32 at = static_cast<u32>(length * k / count), next = static_cast<u32>(length * (k + 1) / count);
    tasks.begin[first + k] = begin + at;
    tasks.length[first + k] = next - at;
    keys[first + k] = tasks.max_length - (next - at);
    values[first + k] = first + k;
  }
}

__global__ void unused_kernel(const Tasks tasks, u32* keys, u32* values) {
  const std::size_t t = tasks.first[tasks.buckets] + global_thread();
  if (t >= tasks.capacity) return;
  tasks.length[t] = 0;
  keys[t] = tasks.max_length;
  values[t] = static_cast<u32>(t);
}

__global__ void slices_kernel(const Tasks tasks, const u32* count) {
  const std::size_t t = global_thread();
  if (t >= tasks.capacity) return;
  const u64 all = count[0];
  tasks.begin[t] = static_cast<u32>(all * t / tasks.capacity);
  tasks.length[t] = static_cast<u32>(all * (t + 1) / tasks.capacity) - tasks.begin[t];
  tasks.order[t] = static_cast<u32>(t);
  if (t == 0) {
    tasks.first[0] = 0;
    tasks.first[1] = static_cast<u32>(tasks.capacity);
  }
}

}  // namespace

Status write_digits(const MsmInput& input, const Windows& windows, unsigned from, unsigned count, std::uint32_t* keys,
                    std::uint32_t* values, Stream stream) {
  DigitArguments arguments{input.scalars, input.point_index, keys, values, input.size, windows, from, count, {}};
  for (unsigned w = 0; w < windows.count; ++w) {
    const unsigned bit = windows.offset(w) + windows.width(w) - 1;
    arguments.shift[bit / 32] |= 1U << (bit % 32);
  }
  return launch("digits of scalars", digits_kernel, {blocks_for(input.size, threads), threads}, stream, arguments);
}

Status make_tasks(const std::uint32_t* keys, std::size_t count, const Tasks& tasks, std::uint32_t* bounds,
                  std::uint32_t* work, void* scratch, std::size_t scratch_bytes, Stream stream) {
  const auto for_each = [](std::size_t items) { return Shape{blocks_for(items, threads), threads}; };
  u32* const order_keys = work;
  u32* const order_values = work + tasks.capacity;
  u32* const sorted_keys = work + 2 * tasks.capacity;
  PINION_TRY(fill(bounds, 0, (2 * tasks.buckets + 2) * sizeof(u32), stream, "the buckets' bounds"));
  PINION_TRY(launch("the buckets' bounds", bounds_kernel, for_each(count), stream, keys, count, tasks.buckets, bounds));
  u32* const counts = tasks.length;  // capacity is above buckets
  PINION_TRY(launch("the buckets' tasks", count_kernel, for_each(tasks.buckets + 1), stream, bounds, tasks.buckets,
                    tasks.max_length, counts));
  PINION_TRY(prefix_sums(counts, tasks.first, tasks.buckets + 1, scratch, scratch_bytes, stream));
  PINION_TRY(launch("the buckets' tasks", tasks_kernel, for_each(tasks.buckets), stream, bounds, tasks, order_keys,
                    order_values));
  PINION_TRY(
      launch("the unused tasks", unused_kernel, for_each(tasks.capacity), stream, tasks, order_keys, order_values));
  return sort_pairs(order_keys, sorted_keys, order_values, tasks.order, tasks.capacity, tasks.scratch_bits, scratch,
                    scratch_bytes, stream);
}

Status make_slices(const std::uint32_t* count, const Tasks& tasks, Stream stream) {
  return launch("slices of a sum", slices_kernel, {blocks_for(tasks.capacity, threads), threads}, stream, tasks, count);
}

}  // namespace pinion::cuda::msm_steps
