// Draws that a seed fixes on every machine and library. For schedules and resampling; nothing secret.
#pragma once

#include <cstdint>

namespace pinion::host::ab {

// splitmix64: Steele, Lea, Flood 2014, Fast splittable pseudorandom number generators.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }

  // Even over 0 … bound - 1; bound is at least 1. Rejects what would favour small numbers.
  std::uint64_t below(std::uint64_t bound) noexcept {
    const std::uint64_t uneven = (0 - bound) % bound;  // 2^64 mod bound
    std::uint64_t x = next();
    while (x < uneven) x = next();
    return x % bound;
  }

  bool coin() noexcept { return (next() >> 63) != 0; }

 private:
  std::uint64_t state_;
};

}  // namespace pinion::host::ab
