// Sorting and prefix sums of 32-bit words on the device (CUB). Scratch is the caller's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "status.hpp"

namespace pinion::cuda {

// Scratch for either operation on up to `count` items.
std::size_t sort_scratch_bytes(std::size_t count);

// Stable, by the low `bits` of the keys; in and out must not overlap. count < 2^31.
Status sort_pairs(const std::uint32_t* keys_in, std::uint32_t* keys_out, const std::uint32_t* values_in,
                  std::uint32_t* values_out, std::size_t count, unsigned bits, void* scratch, std::size_t scratch_bytes,
                  Stream stream);

// out[i] = in[0] + … + in[i - 1]
Status prefix_sums(const std::uint32_t* in, std::uint32_t* out, std::size_t count, void* scratch,
                   std::size_t scratch_bytes, Stream stream);

}  // namespace pinion::cuda
