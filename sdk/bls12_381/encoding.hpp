// Points as bytes: the ZCash encoding of BLS12-381. Coordinates are 48 bytes big-endian, an Fp2 is c1 then c0, flags
// live in the three top bits of the first byte (0x80 compressed, 0x40 infinity, 0x20 y is the larger root). Stricter
// than blst: uncompressed decoders refuse the compressed form, and a point outside the subgroup is called that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "curve.hpp"

namespace pinion::bls {

template <class Point>
inline constexpr std::size_t uncompressed_size = sizeof(Point);
template <class Point>
inline constexpr std::size_t compressed_size = sizeof(Point) / 2;

enum class DecodeError {
  none,
  wrong_form,      // compressed where uncompressed was expected, or the other way round
  bad_flags,       // a sign flag in the uncompressed form
  bad_infinity,    // the infinity flag together with other bits
  not_canonical,   // a coordinate of p or more
  not_on_curve,    // no point has these coordinates
  not_in_subgroup  // on the curve, but not of order r
};

// "is on the curve but outside the subgroup of order r", and so on: completes the sentence "the point …".
const char* describe(DecodeError error) noexcept;

enum class Check {
  curve,    // the reference's "unchecked": flags, range and curve; of G1, also not of order 3 (x = 0)
  subgroup  // and membership of the subgroup of order r, tens of microseconds
};

template <class Point>
struct Decoded {
  Point point;  // meaningful only without an error
  DecodeError error;
  explicit operator bool() const noexcept { return error == DecodeError::none; }
};

// Point is G1Affine or G2Affine. Infinity decodes; callers that must not have it look. [any]
template <class Point>
Decoded<Point> decode_uncompressed(std::span<const std::uint8_t, uncompressed_size<Point>> bytes, Check check) noexcept;
template <class Point>
Decoded<Point> decode_compressed(std::span<const std::uint8_t, compressed_size<Point>> bytes, Check check) noexcept;

template <class Point>
void encode_uncompressed(const Point& point, std::span<std::uint8_t, uncompressed_size<Point>> out) noexcept;
template <class Point>
void encode_compressed(const Point& point, std::span<std::uint8_t, compressed_size<Point>> out) noexcept;

}  // namespace pinion::bls
