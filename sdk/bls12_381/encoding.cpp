#include "encoding.hpp"

#include <algorithm>

#include "blst_types.hpp"

namespace pinion::bls {

namespace {

using detail::as_blst;
using detail::Blst;

template <class Point>
using Functions = Blst<decltype(Point::x)>;

constexpr std::uint8_t compressed_flag = 0x80, infinity_flag = 0x40, sign_flag = 0x20;

// Flags only, so that the message can say more than blst's "bad encoding".
DecodeError check_flags(std::span<const std::uint8_t> bytes, bool compressed) {
  const std::uint8_t first = bytes[0];
  if (((first & compressed_flag) != 0) != compressed) return DecodeError::wrong_form;
  if ((first & infinity_flag) != 0) {
    const bool clean = (first & ~(compressed_flag | infinity_flag)) == 0 &&
                       std::all_of(bytes.begin() + 1, bytes.end(), [](std::uint8_t byte) { return byte == 0; });
    return clean ? DecodeError::none : DecodeError::bad_infinity;
  }
  if (!compressed && (first & sign_flag) != 0) return DecodeError::bad_flags;
  return DecodeError::none;
}

DecodeError from_blst(BLST_ERROR error) {
  switch (error) {
    case BLST_SUCCESS:
      return DecodeError::none;
    case BLST_POINT_NOT_ON_CURVE:
      return DecodeError::not_on_curve;
    case BLST_POINT_NOT_IN_GROUP:  // G1 with x = 0: order 3
      return DecodeError::not_in_subgroup;
    default:  // flags were checked before
      return DecodeError::not_canonical;
  }
}

template <class Point, class Parse>
Decoded<Point> decode(std::span<const std::uint8_t> bytes, bool compressed, Check check, Parse parse) noexcept {
  Decoded<Point> out{Point::infinity(), check_flags(bytes, compressed)};
  if (!out || (bytes[0] & infinity_flag) != 0) return out;
  out.error = from_blst(parse(as_blst(&out.point), bytes.data()));
  if (out && check == Check::subgroup && !out.point.is_in_subgroup()) out.error = DecodeError::not_in_subgroup;
  return out;
}

}  // namespace

const char* describe(DecodeError error) noexcept {
  switch (error) {
    case DecodeError::none:
      return "is valid";
    case DecodeError::wrong_form:
      return "has the wrong compression flag: compressed bytes where uncompressed ones belong, or the other way round";
    case DecodeError::bad_flags:
      return "has the sign flag set in its uncompressed form";
    case DecodeError::bad_infinity:
      return "has the infinity flag together with other bits";
    case DecodeError::not_canonical:
      return "has a coordinate that is not below the field modulus";
    case DecodeError::not_on_curve:
      return "is not on the curve";
    case DecodeError::not_in_subgroup:
      return "is on the curve but outside the subgroup of order r";
  }
  return "has an unknown fault";
}

template <class Point>
Decoded<Point> decode_uncompressed(std::span<const std::uint8_t, uncompressed_size<Point>> bytes,
                                   Check check) noexcept {
  return decode<Point>(bytes, false, check, Functions<Point>::deserialize);
}

template <class Point>
Decoded<Point> decode_compressed(std::span<const std::uint8_t, compressed_size<Point>> bytes, Check check) noexcept {
  return decode<Point>(bytes, true, check, Functions<Point>::uncompress);
}

template <class Point>
void encode_uncompressed(const Point& point, std::span<std::uint8_t, uncompressed_size<Point>> out) noexcept {
  Functions<Point>::serialize(out.data(), as_blst(&point));
}

template <class Point>
void encode_compressed(const Point& point, std::span<std::uint8_t, compressed_size<Point>> out) noexcept {
  Functions<Point>::compress(out.data(), as_blst(&point));
}

template Decoded<G1Affine> decode_uncompressed<G1Affine>(std::span<const std::uint8_t, 96>, Check) noexcept;
template Decoded<G2Affine> decode_uncompressed<G2Affine>(std::span<const std::uint8_t, 192>, Check) noexcept;
template Decoded<G1Affine> decode_compressed<G1Affine>(std::span<const std::uint8_t, 48>, Check) noexcept;
template Decoded<G2Affine> decode_compressed<G2Affine>(std::span<const std::uint8_t, 96>, Check) noexcept;
template void encode_uncompressed(const G1Affine&, std::span<std::uint8_t, 96>) noexcept;
template void encode_uncompressed(const G2Affine&, std::span<std::uint8_t, 192>) noexcept;
template void encode_compressed(const G1Affine&, std::span<std::uint8_t, 48>) noexcept;
template void encode_compressed(const G2Affine&, std::span<std::uint8_t, 96>) noexcept;

}  // namespace pinion::bls
