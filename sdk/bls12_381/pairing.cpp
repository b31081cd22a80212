#include "pairing.hpp"

#include "blst_types.hpp"

namespace pinion::bls {

namespace {
using Coefficients = std::array<Fp, 12>;
static_assert(sizeof(blst_fp12) == sizeof(Coefficients));
const blst_fp12* as_fp12(const Coefficients& a) {
  return reinterpret_cast<const blst_fp12*>(a.data());
}
blst_fp12* as_fp12(Coefficients& a) {
  return reinterpret_cast<blst_fp12*>(a.data());
}
}  // namespace

Gt Gt::one() noexcept {
  Gt out;
  out.coefficients_[0] = Fp::one();
  return out;
}

bool Gt::is_one() const noexcept {
  return *this == one();
}

Gt operator*(const Gt& a, const Gt& b) noexcept {
  Gt out;
  blst_fp12_mul(as_fp12(out.coefficients_), as_fp12(a.coefficients_), as_fp12(b.coefficients_));
  return out;
}

MillerValue::MillerValue() noexcept : coefficients_{} {
  coefficients_[0] = Fp::one();
}

MillerValue MillerValue::of(const G1Affine& p, const G2Affine& q) noexcept {
  MillerValue out;
  if (p.is_infinity() || q.is_infinity()) return out;
  blst_miller_loop(as_fp12(out.coefficients_), detail::as_blst(&q), detail::as_blst(&p));
  return out;
}

MillerValue& MillerValue::operator*=(const MillerValue& other) noexcept {
  blst_fp12_mul(as_fp12(coefficients_), as_fp12(coefficients_), as_fp12(other.coefficients_));
  return *this;
}

Gt MillerValue::final_exponentiation() const noexcept {
  Gt out;
  blst_final_exp(as_fp12(out.coefficients_), as_fp12(coefficients_));
  return out;
}

}  // namespace pinion::bls
