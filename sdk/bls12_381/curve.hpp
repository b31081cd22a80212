// G1 and G2 of BLS12-381: y^2 = x^3 + 4 over Fp, and y^2 = x^3 + 4(1 + u) over Fp2. Affine points have the layout of
// blst_p1_affine / blst_p2_affine (Montgomery coordinates, infinity = all zero), Jacobian ones that of blst_p1 /
// blst_p2 (x = X/Z^2, y = Y/Z^3, infinity has Z = 0). Thin over blst. Not for bulk work: see batch_add.hpp and the
// backends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fp.hpp"
#include "fr.hpp"

namespace pinion::bls {

template <class Field>
struct Affine {
  Field x, y;

  static Affine infinity() noexcept { return {}; }
  // The standard generator of the group of order r.
  static Affine generator() noexcept;
  bool is_infinity() const noexcept { return x.is_zero() && y.is_zero(); }
  // Infinity is on the curve and in the subgroup.
  bool is_on_curve() const noexcept;
  // The point must be on the curve. Source: Scott, "A note on group membership tests" (2021), as in blst.
  bool is_in_subgroup() const noexcept;
  Affine operator-() const noexcept { return {x, -y}; }
  friend bool operator==(const Affine&, const Affine&) = default;
};

template <class Field>
struct Jacobian {
  Field x, y, z;

  Jacobian() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): an affine point is a point
  Jacobian(const Affine<Field>& point) noexcept
      : x(point.x), y(point.y), z(point.is_infinity() ? Field::zero() : Field::one()) {}
  static Jacobian infinity() noexcept { return {}; }
  static Jacobian generator() noexcept { return Affine<Field>::generator(); }
  bool is_infinity() const noexcept { return z.is_zero(); }
  Affine<Field> to_affine() const noexcept;
  Jacobian doubled() const noexcept;
  Jacobian operator-() const noexcept;
  Jacobian& operator+=(const Jacobian& other) noexcept;
  Jacobian& operator+=(const Affine<Field>& other) noexcept;
  friend Jacobian operator+(Jacobian a, const Jacobian& b) noexcept { return a += b; }
  friend Jacobian operator+(Jacobian a, const Affine<Field>& b) noexcept { return a += b; }
  friend Jacobian operator-(Jacobian a, const Jacobian& b) noexcept { return a += -b; }
  // scalar * point; the point must be in the subgroup (blst splits the scalar with the endomorphism).
  Jacobian operator*(const Fr& scalar) const noexcept;
  // Equal as points, whatever the Z.
  friend bool operator==(const Jacobian& a, const Jacobian& b) noexcept { return a.equals(b); }

 private:
  bool equals(const Jacobian& other) const noexcept;
};

using G1Affine = Affine<Fp>;
using G2Affine = Affine<Fp2>;
using G1 = Jacobian<Fp>;
using G2 = Jacobian<Fp2>;
static_assert(sizeof(G1Affine) == 96 && sizeof(G2Affine) == 192);

// points[i] -> out[i] with one inversion (Montgomery's trick); both have the same length. [any]
template <class Field>
void batch_to_affine(std::span<const Jacobian<Field>> points, std::span<Affine<Field>> out);

// Sum of scalars[i] * points[i]; both have the same length, points in the subgroup. The simple one, single-threaded
// over blst's Pippenger, for verifiers and tests; provers use the backend's. [any]
template <class Field>
Jacobian<Field> simple_msm(std::span<const Affine<Field>> points, std::span<const Fr> scalars);

// The point blstrs' Group::random makes of 64 bytes of its generator: blst's encode-to-curve with a DST of 16 zero
// bytes and an augmentation of 16 zero bytes. In the subgroup. [any]
template <class Field>
Jacobian<Field> random_point(std::span<const std::uint8_t, 64> random_bytes) noexcept;

}  // namespace pinion::bls
