// Any bytes as a point: the first byte picks group and form. An accepted point encodes to the same bytes, lies on the
// curve, and "checked" accepts exactly those of "unchecked" that are in the subgroup.
#include <algorithm>
#include <cstdlib>
#include <pinion/bls12_381/encoding.hpp>

using namespace pinion::bls;

namespace {

template <std::size_t size, class Decode, class Encode>
void check(std::span<const std::uint8_t> input, Decode decode, Encode encode) {
  if (input.size() < size) return;
  const auto bytes = input.first<size>();
  const auto loose = decode(bytes, Check::curve), strict = decode(bytes, Check::subgroup);
  const bool member = loose && loose.point.is_in_subgroup();
  if (static_cast<bool>(strict) != member) std::abort();
  if (!loose) return;
  std::array<std::uint8_t, size> back;
  encode(loose.point, back);
  if (!loose.point.is_on_curve() || !std::equal(back.begin(), back.end(), bytes.begin())) std::abort();
}

template <class Point>
void check_compressed(std::span<const std::uint8_t> input) {
  check<compressed_size<Point>>(input, decode_compressed<Point>, encode_compressed<Point>);
}
template <class Point>
void check_uncompressed(std::span<const std::uint8_t> input) {
  check<uncompressed_size<Point>>(input, decode_uncompressed<Point>, encode_uncompressed<Point>);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::uint8_t> input(data + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      check_compressed<G1Affine>(input);
      break;
    case 1:
      check_uncompressed<G1Affine>(input);
      break;
    case 2:
      check_compressed<G2Affine>(input);
      break;
    default:
      check_uncompressed<G2Affine>(input);
  }
  return 0;
}
