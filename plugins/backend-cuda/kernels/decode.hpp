// Points of a parameter file on the device: from the bytes of the file (uncompressed, big-endian) to affine points in
// Montgomery form, each tested for range and curve on the way. Source: the ZCash encoding of BLS12-381.
#pragma once

#include <cstddef>
#include <cstdint>

#include "msm.hpp"
#include "status.hpp"

namespace pinion::cuda {

// Where point i of a section goes: to i, or to its place in the order of an NTT of that size (permuted_index).
struct PointOrder {
  static constexpr unsigned natural = ~0U;
  unsigned lg_size = natural;
};

// Decodes `count` points, numbers first … first + count - 1 of their section, from `encoded` to points[place(i)].
// What is no point of the curve, or has a flag set (infinity too: no query may have it), is reported in *first_bad: the
// complement of the least such number, 0 as long as there is none. [any]
Status decode_points(Curve curve, const void* encoded, std::size_t first, std::size_t count, PointOrder order,
                     void* points, std::uint32_t* first_bad, Stream stream);

}  // namespace pinion::cuda
