// What ShapeBuilder keeps while it grows: chunked arrays, and the two dictionaries (coefficients, row patterns) as open
// addressing tables of ids. Internal to sdk/groth16.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <pinion/bls12_381/fr.hpp>
#include <span>
#include <stdexcept>
#include <vector>

namespace pinion::groth16 {

// Grows without copying; drain() frees each chunk once it is copied out.
template <class T>
class ChunkedArray {
 public:
  std::uint64_t size() const { return size_; }
  // i < size()
  T operator[](std::uint64_t i) const { return chunks_[i / chunk][i % chunk]; }
  void push_back(T value) {
    if (size_ % chunk == 0) chunks_.push_back(std::make_unique_for_overwrite<T[]>(chunk));
    chunks_.back()[size_++ % chunk] = value;
  }
  // out.size() == size()
  void drain(std::span<T> out) {
    for (auto& piece : chunks_) {
      const std::size_t length = std::min<std::size_t>(chunk, out.size());
      std::copy_n(piece.get(), length, out.data());
      piece.reset();
      out = out.subspan(length);
    }
    chunks_.clear();
    size_ = 0;
  }

 private:
  static constexpr std::size_t chunk = std::size_t{1} << 20;
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::uint64_t size_ = 0;
};

// Bits appended or set by index, zero until set.
class GrowingBits {
 public:
  void set(std::uint64_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void resize(std::uint64_t bits) {
    if (const std::uint64_t words = (bits + 63) / 64; words > words_.size()) words_.resize(words);
  }
  // Sets the bits [to, to + count) as [from, from + count) are. The destination is zero, and from + count <= to.
  void copy(std::uint64_t from, std::uint64_t to, std::uint64_t count) {
    while (count > 0) {
      // As many as the destination's word has room for, from at most two words of the source.
      const std::uint64_t length = std::min(count, 64 - to % 64);
      std::uint64_t bits = words_[from / 64] >> (from % 64);
      if (from % 64 + length > 64) bits |= words_[from / 64 + 1] << (64 - from % 64);
      if (length < 64) bits &= (std::uint64_t{1} << length) - 1;
      words_[to / 64] |= bits << (to % 64);
      from += length;
      to += length;
      count -= length;
    }
  }
  std::span<const std::uint64_t> words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

// Ids of values that their owner keeps: finds an id by hash, or has a new one made.
class IdTable {
 public:
  // same(id): is that the value? make(): stores it and returns its id (the number of values so far).
  template <class Same, class Make>
  std::uint32_t find_or_make(std::uint64_t hash, Same&& same, Make&& make) {
    if (hashes_.size() * 2 >= slots_.size()) grow();
    const std::uint64_t mask = slots_.size() - 1;
    for (std::uint64_t at = hash & mask;; at = (at + 1) & mask) {
      if (slots_[at] == 0) {
        const std::uint32_t id = make();
        hashes_.push_back(hash);
        slots_[at] = id + 1;
        return id;
      }
      if (hashes_[slots_[at] - 1] == hash && same(slots_[at] - 1)) return slots_[at] - 1;
    }
  }

 private:
  void grow() {
    slots_.assign(std::max<std::size_t>(1024, slots_.size() * 2), 0);
    for (std::uint32_t id = 0; id < hashes_.size(); ++id) {
      std::uint64_t at = hashes_[id] & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id + 1;
    }
  }
  std::vector<std::uint32_t> slots_;  // id + 1, 0 for none; a power of two of them
  std::vector<std::uint64_t> hashes_;
};

// Finaliser of splitmix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class CoefficientTable {
 public:
  std::uint32_t id(const bls::Fr& value) {
    const std::uint64_t hash = mix(value.limb[0] ^ std::rotl(value.limb[1], 16) ^ std::rotl(value.limb[3], 32));
    return table_.find_or_make(
        hash, [&](std::uint32_t id) { return values_[id] == value; },
        [&] {
          values_.push_back(value);
          return static_cast<std::uint32_t>(values_.size() - 1);
        });
  }
  std::span<const bls::Fr> values() const { return values_; }

 private:
  IdTable table_;
  std::vector<bls::Fr> values_;
};

class PatternTable {
 public:
  // Coefficient ids of A, then B, then C; ends[m] is where those of matrix m end.
  std::uint32_t id(std::span<const std::uint32_t> ids, const std::array<std::uint32_t, 3>& ends) {
    std::uint64_t hash = mix(ends[0] | std::uint64_t{ends[1]} << 32);
    for (const std::uint32_t coefficient : ids) hash = mix(hash + coefficient);
    return table_.find_or_make(
        hash, [&](std::uint32_t pattern) { return equals(pattern, ids, ends); },
        [&] {
          const std::size_t start = coefficients_.size();
          if ((start + ids.size()) >> 32 != 0) throw std::length_error("shape: 2^32 pattern coefficients");
          coefficients_.insert(coefficients_.end(), ids.begin(), ids.end());
          for (const std::uint32_t end : ends) begin_.push_back(static_cast<std::uint32_t>(start + end));
          return static_cast<std::uint32_t>((begin_.size() - 1) / 3 - 1);
        });
  }
  // Coefficients of one matrix in a pattern.
  std::uint32_t length(std::uint32_t pattern, std::size_t matrix) const {
    const std::uint32_t* const bound = begin_.data() + std::size_t{3} * pattern + matrix;
    return bound[1] - bound[0];
  }
  // Of pattern p and matrix m: entries [3p + m] and [3p + m + 1] bound its coefficients.
  std::span<const std::uint32_t> begin() const { return begin_; }
  std::span<const std::uint32_t> coefficients() const { return coefficients_; }

 private:
  bool equals(std::uint32_t pattern, std::span<const std::uint32_t> ids,
              const std::array<std::uint32_t, 3>& ends) const {
    const std::uint32_t* const bound = begin_.data() + std::size_t{3} * pattern;
    for (std::size_t m = 0; m < 3; ++m)
      if (bound[m + 1] - bound[0] != ends[m]) return false;
    return std::equal(ids.begin(), ids.end(), coefficients_.begin() + bound[0]);
  }
  IdTable table_;
  std::vector<std::uint32_t> begin_{0};
  std::vector<std::uint32_t> coefficients_;
};

}  // namespace pinion::groth16
