#include "curve.hpp"

#include <cassert>
#include <vector>

#include "blst_types.hpp"

namespace pinion::bls {

using detail::as_blst;
using detail::Blst;

template <class Field>
Affine<Field> Affine<Field>::generator() noexcept {
  Affine out;
  *as_blst(&out) = *Blst<Field>::affine_generator();
  return out;
}

template <class Field>
bool Affine<Field>::is_on_curve() const noexcept {
  return is_infinity() || Blst<Field>::affine_on_curve(as_blst(this));
}

template <class Field>
bool Affine<Field>::is_in_subgroup() const noexcept {
  return is_infinity() || Blst<Field>::affine_in_group(as_blst(this));
}

template <class Field>
Affine<Field> Jacobian<Field>::to_affine() const noexcept {
  if (is_infinity()) return Affine<Field>::infinity();
  Affine<Field> out;
  Blst<Field>::to_affine(as_blst(&out), as_blst(this));
  return out;
}

template <class Field>
Jacobian<Field> Jacobian<Field>::doubled() const noexcept {
  Jacobian out;
  Blst<Field>::twice(as_blst(&out), as_blst(this));
  return out;
}

template <class Field>
Jacobian<Field> Jacobian<Field>::operator-() const noexcept {
  Jacobian out = *this;
  Blst<Field>::cneg(as_blst(&out), true);
  return out;
}

template <class Field>
Jacobian<Field>& Jacobian<Field>::operator+=(const Jacobian& other) noexcept {
  Blst<Field>::add(as_blst(this), as_blst(this), as_blst(&other));
  return *this;
}

template <class Field>
Jacobian<Field>& Jacobian<Field>::operator+=(const Affine<Field>& other) noexcept {
  Blst<Field>::add_affine(as_blst(this), as_blst(this), as_blst(&other));
  return *this;
}

template <class Field>
Jacobian<Field> Jacobian<Field>::operator*(const Fr& scalar) const noexcept {
  Jacobian out;
  const Bytes32 bytes = scalar.to_bytes();
  Blst<Field>::mult(as_blst(&out), as_blst(this), bytes.data(), Fr::bits);
  return out;
}

template <class Field>
bool Jacobian<Field>::equals(const Jacobian& other) const noexcept {
  return Blst<Field>::is_equal(as_blst(this), as_blst(&other));
}

template <class Field>
void batch_to_affine(std::span<const Jacobian<Field>> points, std::span<Affine<Field>> out) {
  assert(points.size() == out.size());
  // out[i].x holds the product of the Z before i; the running inverse then walks back.
  Field product = Field::one();
  for (std::size_t i = 0; i < points.size(); ++i) {
    out[i].x = product;
    if (!points[i].is_infinity()) product = product * points[i].z;
  }
  Field inverse = product.inverse();
  for (std::size_t i = points.size(); i-- > 0;) {
    if (points[i].is_infinity()) {
      out[i] = Affine<Field>::infinity();
      continue;
    }
    const Field z_inverse = inverse * out[i].x;
    inverse = inverse * points[i].z;
    const Field squared = z_inverse.squared();
    out[i] = {points[i].x * squared, points[i].y * squared * z_inverse};
  }
}

template <class Field>
Jacobian<Field> simple_msm(std::span<const Affine<Field>> points, std::span<const Fr> scalars) {
  assert(points.size() == scalars.size());
  // blst's Pippenger wants neither infinity nor an empty list, and is wrong for a single point (0.3.11).
  std::vector<const typename Blst<Field>::affine*> bases;
  std::vector<Bytes32> factors;
  std::size_t last = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].is_infinity() || scalars[i].is_zero()) continue;
    bases.push_back(as_blst(&points[i]));
    factors.push_back(scalars[i].to_bytes());
    last = i;
  }
  if (bases.empty()) return Jacobian<Field>::infinity();
  if (bases.size() == 1) return Jacobian<Field>(points[last]) * scalars[last];
  Jacobian<Field> out;
  std::vector<const byte*> factor_pointers;
  for (const Bytes32& factor : factors) factor_pointers.push_back(factor.data());
  std::vector<limb_t> scratch(Blst<Field>::pippenger_scratch(bases.size()) / sizeof(limb_t));
  Blst<Field>::pippenger(as_blst(&out), bases.data(), bases.size(), factor_pointers.data(), Fr::bits, scratch.data());
  return out;
}

template <class Field>
Jacobian<Field> random_point(std::span<const std::uint8_t, 64> random_bytes) noexcept {
  constexpr std::uint8_t zeros[16]{};
  Jacobian<Field> out;
  Blst<Field>::encode_to_curve(as_blst(&out), random_bytes.data(), random_bytes.size(), zeros, sizeof zeros, zeros,
                               sizeof zeros);
  return out;
}

template struct Affine<Fp>;
template struct Affine<Fp2>;
template struct Jacobian<Fp>;
template struct Jacobian<Fp2>;
template void batch_to_affine(std::span<const G1>, std::span<G1Affine>);
template void batch_to_affine(std::span<const G2>, std::span<G2Affine>);
template G1 simple_msm(std::span<const G1Affine>, std::span<const Fr>);
template G2 simple_msm(std::span<const G2Affine>, std::span<const Fr>);
template G1 random_point<Fp>(std::span<const std::uint8_t, 64>) noexcept;
template G2 random_point<Fp2>(std::span<const std::uint8_t, 64>) noexcept;

}  // namespace pinion::bls
