// Places of the permuted order of transforms, on the device: the inverse of permuted_index (ntt.hpp).
#pragma once

#include "ntt.hpp"
#include "platform.cuh"

namespace pinion::cuda {

struct PermutedPlaces {
  unsigned count = 0;  // of digits; 0: every index stays where it is
  unsigned bits[4] = {};

  PermutedPlaces() = default;
  explicit PermutedPlaces(unsigned lg_size) {
    const NttDigits digits(lg_size);
    count = digits.count;
    for (unsigned i = 0; i < count; ++i) bits[i] = digits.bits[i];
  }
  PINION_DEVICE std::size_t of(std::size_t index) const {
    if (count == 0) return index;
    unsigned above = 0;
    for (unsigned i = 0; i < count; ++i) above += bits[i];
    std::size_t place = 0;
    for (unsigned i = 0; i < count; ++i) {
      above -= bits[i];
      place |= (index & ((std::size_t{1} << bits[i]) - 1)) << above;
      index >>= bits[i];
    }
    return place;
  }
};

}  // namespace pinion::cuda
