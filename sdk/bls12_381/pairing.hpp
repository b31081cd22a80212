// The optimal ate pairing e: G1 x G2 -> Gt of BLS12-381, thin over blst. A product of pairings costs one final
// exponentiation: multiply Miller values first. Points must be in their subgroups.
#pragma once

#include <array>
#include <cstdint>

#include "curve.hpp"

namespace pinion::bls {

// An element of Gt, after the final exponentiation.
class Gt {
 public:
  static Gt one() noexcept;
  bool is_one() const noexcept;
  friend Gt operator*(const Gt& a, const Gt& b) noexcept;
  bool operator==(const Gt& other) const noexcept { return coefficients_ == other.coefficients_; }
  // The twelve Fp coefficients c0.c0.c0, c0.c0.c1, c0.c1.c0, … c1.c2.c1 (Fp12 = c0 + c1 w, Fp6 = c0 + c1 v + c2 v^2).
  const std::array<Fp, 12>& coefficients() const noexcept { return coefficients_; }

 private:
  friend class MillerValue;
  std::array<Fp, 12> coefficients_;
};

// A product of Miller loops, before the final exponentiation. Starts as 1.
class MillerValue {
 public:
  MillerValue() noexcept;
  // The Miller loop of (p, q); 1 when either is infinity. [any]
  static MillerValue of(const G1Affine& p, const G2Affine& q) noexcept;
  MillerValue& operator*=(const MillerValue& other) noexcept;
  // [any]
  Gt final_exponentiation() const noexcept;

 private:
  std::array<Fp, 12> coefficients_;
};

inline Gt pairing(const G1Affine& p, const G2Affine& q) noexcept {
  return MillerValue::of(p, q).final_exponentiation();
}

}  // namespace pinion::bls
