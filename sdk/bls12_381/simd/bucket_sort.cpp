#include "bucket_sort.hpp"

#include <algorithm>

namespace pinion::bls::simd {
namespace {

constexpr std::size_t poll = std::size_t{1} << 20;  // points between looks at cancellation

}  // namespace

BucketSort::BucketSort(std::size_t points, const SignedDigits& digits, unsigned width)
    : points_(points),
      ranges_(width),
      digits_(digits),
      digit_of_(points),
      begin_(digits.buckets() + 1),
      next_(width, std::vector<std::uint32_t>(digits.buckets())),
      refs_(points) {}

std::uint64_t BucketSort::bytes(std::size_t points, const SignedDigits& digits, unsigned width) {
  return std::uint64_t{8} * points + std::uint64_t{4} * (digits.buckets() + 1) * (width + 1);
}

void BucketSort::sort(std::span<const Limbs> recoded, unsigned w, std::span<const std::uint32_t> indices,
                      Executor& executor) {
  executor.for_each(ranges_, [&](std::uint64_t range) {
    std::vector<std::uint32_t>& count = next_[range];
    std::fill(count.begin(), count.end(), 0);
    for (std::size_t i = first(range); i < first(range + 1); ++i) {
      if (i % poll == 0) executor.check();
      const std::uint32_t digit = digits_.digit(recoded[i], w);
      digit_of_[i] = digit;
      if (digit != 0) ++count[(digit & ~negated_point) - 1];
    }
  });
  std::uint32_t place = 0;
  for (std::size_t bucket = 0; bucket < digits_.buckets(); ++bucket) {
    begin_[bucket] = place;
    for (auto& next : next_) {
      const std::uint32_t count = next[bucket];
      next[bucket] = place;
      place += count;
    }
  }
  begin_.back() = place;
  executor.for_each(ranges_, [&](std::uint64_t range) {
    std::vector<std::uint32_t>& next = next_[range];
    for (std::size_t i = first(range); i < first(range + 1); ++i) {
      if (i % poll == 0) executor.check();
      const std::uint32_t digit = digit_of_[i];
      if (digit == 0) continue;
      const PointRef point = indices.empty() ? static_cast<PointRef>(i) : indices[i];
      refs_[next[(digit & ~negated_point) - 1]++] = point | (digit & negated_point);
    }
  });
}

}  // namespace pinion::bls::simd
