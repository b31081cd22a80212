// How kernels name points: an index into an array of affine points, with the top bit set for the negated point.
#pragma once

#include <cstdint>

namespace pinion::bls::simd {

using PointRef = std::uint32_t;
inline constexpr PointRef negated_point = 0x80000000;

}  // namespace pinion::bls::simd
