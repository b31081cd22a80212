#include "curve.cuh"
#include "decode.hpp"
#include "launch.cuh"
#include "parameters.hpp"
#include "permuted.cuh"

namespace pinion::cuda {
namespace {

constexpr unsigned threads = 128;

PINION_DEVICE u32 reversed_bytes(u32 word) {
  return word << 24 | (word & 0xff00U) << 8 | (word >> 8 & 0xff00U) | word >> 24;
}

// 48 big-endian bytes, as words in memory order, to limbs.
PINION_DEVICE Fp load_big_endian(const uint4* at) {
  const Fp words = load_fp(at);
  Fp out;
  PINION_UNROLL
  for (int j = 0; j < 12; ++j) out.limb[j] = reversed_bytes(words.limb[11 - j]);
  return out;
}

// Also false when a flag is set: those are above the modulus.
PINION_DEVICE bool below_modulus(const Fp& a) {
  u32 p[12];
  fp_modulus(p);
  for (int j = 11; j >= 0; --j)
    if (a.limb[j] != p[j]) return a.limb[j] < p[j];
  return false;
}

PINION_DEVICE Fp to_montgomery(const Fp& a) {
  return a * Fp{{0x1c341746, 0xf4df1f34, 0x09d104f1, 0x0a76e6a6, 0x4c95b6d5, 0x8de5476c, 0x939d83c0, 0x67eb88a9,
                 0xb519952d, 0x9a793e85, 0x92cae3aa, 0x11988fe5}};  // 2^768 mod p
}

// y^2 = x^3 + 4, of G2 4 + 4u: the same constant in both lanes. In G1 also not x = 0, a point of order 3.
template <class Group>
PINION_DEVICE bool is_on_curve(const typename Group::Field& x, const typename Group::Field& y) {
  const Fp two = fp_one() + fp_one();
  typename Group::Field b;
  Group::half(b) = two + two;
  if (Group::lanes == 1 && is_zero(x)) return false;
  return is_zero(square(y) - square(x) * x - b);
}

struct DecodeArguments {
  const uint4* encoded;
  std::size_t first, count;
  PermutedPlaces places;
  uint4* points;
  u32* first_bad;
};

// In G2 a pair of lanes a point: the even one c0, which stands second in the encoding.
template <class Group>
__global__ void __launch_bounds__(threads) decode_kernel(const DecodeArguments to) {
  const std::size_t i = global_thread() / Group::lanes;
  if (i >= to.count) return;
  const unsigned in_encoding = Group::lanes - 1 - Group::lane();
  constexpr unsigned step = fp_words * Group::lanes;
  const uint4* const from = to.encoded + i * affine_words<Group> + fp_words * in_encoding;
  typename Group::Field x, y;
  const Fp raw_x = load_big_endian(from), raw_y = load_big_endian(from + step);
  Group::half(x) = to_montgomery(raw_x);
  Group::half(y) = to_montgomery(raw_y);
  const bool good = is_on_curve<Group>(x, y) && below_modulus(raw_x) && below_modulus(raw_y);
  const std::size_t number = to.first + i;
  if (!good) atomicMax(to.first_bad, ~static_cast<u32>(number));
  uint4* const at = to.points + to.places.of(number) * affine_words<Group> + fp_words * Group::lane();
  store_fp(at, Group::half(x));
  store_fp(at + step, Group::half(y));
}

}  // namespace

Status decode_points(Curve curve, const void* encoded, std::size_t first, std::size_t count, PointOrder order,
                     void* points, std::uint32_t* first_bad, Stream stream) {
  DecodeArguments to{static_cast<const uint4*>(encoded), first, count, {}, static_cast<uint4*>(points), first_bad};
  if (order.lg_size != PointOrder::natural) to.places = PermutedPlaces(order.lg_size);
  constexpr const char* what = "decoding points";
  if (curve == Curve::g1) return launch(what, decode_kernel<G1>, {blocks_for(count, threads), threads}, stream, to);
  return launch(what, decode_kernel<G2>, {blocks_for(2 * count, threads), threads}, stream, to);
}

}  // namespace pinion::cuda
