// Eight affine points out of their uncompressed encodings (encoding.hpp) at once: coordinates turned from big-endian
// bytes to Montgomery form, range and curve checked. Whatever is not plainly a finite point of the curve is left to the
// one-by-one decoder, which knows why. Internal linkage: see ifma_field.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pinion::bls::simd {
namespace {

// F: lanes of Fp; C: lanes of the group's coordinates over them.
template <class F, class C>
class PointDecoding {
 public:
  static constexpr int point_words = 2 * C::coordinate_words;
  using Mask = std::uint8_t;

  // Points at `out` (which may be `encoded`) for all but the lanes of the result, whose places stay as they are.
  [[gnu::flatten]] static Mask run(const std::uint8_t* encoded, std::uint64_t* out) {
    alignas(64) std::uint64_t canonical[8 * point_words];
    unsigned odd = 0;
    for (int lane = 0; lane < 8; ++lane)
      odd |= unsigned{!read_canonical(encoded + lane * point_words * 8, canonical + lane * point_words)} << lane;

    const typename F::Factor to_montgomery = F::factor(same(r_squared));
    typename F::Value coordinates[point_words / F::words];
    for (int k = 0; k < point_words / F::words; ++k) {
      const std::uint64_t* from[8];
      for (int lane = 0; lane < 8; ++lane) from[lane] = canonical + lane * point_words + k * F::words;
      coordinates[k] = F::reduced(F::mul(F::gather(from), to_montgomery));
    }
    odd |= off_curve(coordinates);

    alignas(64) std::uint64_t spare[point_words];
    for (int k = 0; k < point_words / F::words; ++k) {
      std::uint64_t* to[8];
      for (int lane = 0; lane < 8; ++lane)
        to[lane] = ((odd >> lane & 1) != 0 ? spare : out + lane * point_words) + k * F::words;
      F::scatter(coordinates[k], to);
    }
    return static_cast<Mask>(odd);
  }

 private:
  static constexpr std::uint64_t modulus[6]{0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
                                            0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a};
  static constexpr std::uint64_t r_squared[6]{0xf4df1f341c341746, 0x0a76e6a609d104f1, 0x8de5476c4c95b6d5,
                                              0x67eb88a9939d83c0, 0x9a793e85b519952d, 0x11988fe592cae3aa};
  static constexpr std::uint64_t four[6]{0xaa270000000cfff3, 0x53cc0032fc34000a, 0x478fe97a6b0a807f,
                                         0xb1d37ebee6ba24d7, 0x8ec9733bbf78ab2f, 0x09d645513d83de7e};  // Montgomery

  // Big-endian bytes to words in memory order (an Fp2 is encoded c1 first); whether every coordinate is below p. A flag
  // bit makes its coordinate 2^381 or more.
  [[gnu::always_inline]] static bool read_canonical(const std::uint8_t* from, std::uint64_t* to) {
    bool below = true;
    for (int k = 0; k < point_words / F::words; ++k) {
      const std::uint8_t* const bytes = from + (C::coordinate_words == F::words ? k : k ^ 1) * F::words * 8;
      for (int w = 0; w < F::words; ++w) {
        std::uint64_t word;
        std::memcpy(&word, bytes + (F::words - 1 - w) * 8, sizeof word);
        to[k * F::words + w] = __builtin_bswap64(word);
      }
      below = below && below_modulus(to + k * F::words);
    }
    return below;
  }
  [[gnu::always_inline]] static bool below_modulus(const std::uint64_t* a) {
    int w = F::words - 1;
    while (w > 0 && a[w] == modulus[w]) --w;
    return a[w] < modulus[w];
  }
  // The same words in every lane
  [[gnu::always_inline]] static typename F::Value same(const std::uint64_t (&words)[6]) {
    const std::uint64_t* from[8];
    for (int lane = 0; lane < 8; ++lane) from[lane] = words;
    return F::gather(from);
  }
  // Lanes where y^2 != x^3 + 4 (1 + u), or where x = 0 (not in G1 and G2; also how infinity would look)
  [[gnu::always_inline]] static unsigned off_curve(const typename F::Value* coordinates) {
    typename C::Value x, y, b;
    if constexpr (C::coordinate_words == F::words) {
      x = coordinates[0], y = coordinates[1], b = same(four);
    } else {
      x = {coordinates[0], coordinates[1]}, y = {coordinates[2], coordinates[3]}, b = {same(four), same(four)};
    }
    const auto right = C::add(C::mul(C::square(x), C::factor(x)), b);
    const unsigned on_curve = C::equal(C::reduced(C::square(y)), C::reduced(right));
    return (~on_curve | C::is_zero(x)) & 0xff;
  }
};

}  // namespace
}  // namespace pinion::bls::simd
