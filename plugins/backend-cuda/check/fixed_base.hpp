// Multiples of a generator by given scalars, on the device: what makes a test key of full size in seconds. Source:
// Brickell, Gordon, McCurley, Wilson 1992 (fixed base windows).
#pragma once

#include <cstddef>

#include "arena.hpp"
#include "decode.hpp"
#include "msm.hpp"
#include "status.hpp"

namespace pinion::cuda::check {

// A table of the multiples: entry 256 w + d is d 2^(8 w) G, affine, in device memory; d = 0 is not looked at.
inline constexpr std::size_t fixed_base_windows = 32, fixed_base_entries = fixed_base_windows * 256;

// points[place(i)] = scalars[i - first] G for i = first … first + count - 1, the scalars in Montgomery form and not 0.
// Scratch is given back to the arena: 144 bytes a point in G1, 288 in G2.
Status fill_products(Curve curve, const void* table, const Fr* scalars, std::size_t first, std::size_t count,
                     PointOrder order, void* points, Arena& arena, Stream stream);

}  // namespace pinion::cuda::check
