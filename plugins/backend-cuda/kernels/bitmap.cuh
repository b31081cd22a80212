// Ranks in bitmaps: how many ones stand before a place.
#pragma once

#include "platform.cuh"
#include "witness.hpp"

namespace pinion::cuda {

// Ones before word `word`.
PINION_DEVICE u32 rank_of_word(const DeviceBitmap& bitmap, std::size_t word) {
  u32 count = bitmap.ranks[word / 8];
  for (std::size_t w = word / 8 * 8; w < word; ++w) count += static_cast<u32>(__popcll(bitmap.words[w]));
  return count;
}
PINION_DEVICE u32 ones_below(u64 word, unsigned bit) {
  return static_cast<u32>(__popcll(word & ((u64{1} << bit) - 1)));
}
// Zeros before place i: where scalar aux i lies among the scalars.
PINION_DEVICE u32 rank_of_zero(const DeviceBitmap& bitmap, u32 i) {
  return i - rank_of_word(bitmap, i / 64) - ones_below(bitmap.words[i / 64], i % 64);
}

}  // namespace pinion::cuda
