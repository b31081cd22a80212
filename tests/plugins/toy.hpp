// The toy proof system that the doubles share. A witness is `count` numbers; its part is four numbers made of them, of
// the shape and of the blinding value, so that any stage that reads a wrong byte gives a part that does not verify.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace toy {

inline constexpr const char* witness_format = "pinion.job.toy-witness.none/1";
inline constexpr const char* evaluations_format = "pinion.job.toy-evaluations.none/1";
inline constexpr const char* shape_format = "pinion.shape.toy/1";
inline constexpr const char* keys_format = "pinion.keys.toy/1";
inline constexpr std::uint64_t shape_words = 1024;

// Payload of both job formats.
struct Job {
  std::uint32_t size, partition;
  std::uint64_t count;
  const std::uint64_t* values;  // count
  std::uint64_t blinding;
};

using Part = std::array<std::uint64_t, 4>;

// Source: splitmix64 (Steele, Lea, Flood 2014).
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
inline std::uint64_t value(std::uint64_t seed, std::uint32_t partition, std::uint64_t i) {
  return mix(seed ^ (std::uint64_t{partition} << 40) ^ i);
}
inline std::uint64_t shape_word(std::uint64_t i) {
  return mix(~i);
}

inline std::uint64_t fold(std::span<const std::uint64_t> words) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum = sum * 31 + word;
  return sum;
}

inline Part make_part(std::uint64_t witness, std::uint64_t shape, std::uint32_t partition, std::uint64_t blinding) {
  return {mix(witness ^ shape ^ blinding), blinding, partition, 0x796f74u};
}

}  // namespace toy
