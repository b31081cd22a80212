#include "fp.hpp"

#include <algorithm>

#include "blst_types.hpp"

namespace pinion::bls {

using detail::as_blst;

std::optional<Fp> Fp::from_bytes(std::span<const std::uint8_t, 48> bytes) noexcept {
  Fp out;
  blst_fp_from_bendian(as_blst(&out), bytes.data());
  // blst reduces silently: a value of p or more does not come back.
  const Bytes48 back = out.to_bytes();
  if (!std::equal(back.begin(), back.end(), bytes.begin())) return std::nullopt;
  return out;
}

Bytes48 Fp::to_bytes() const noexcept {
  Bytes48 out;
  blst_bendian_from_fp(out.data(), as_blst(this));
  return out;
}

Fp operator+(const Fp& a, const Fp& b) noexcept {
  Fp out;
  blst_fp_add(as_blst(&out), as_blst(&a), as_blst(&b));
  return out;
}
Fp operator-(const Fp& a, const Fp& b) noexcept {
  Fp out;
  blst_fp_sub(as_blst(&out), as_blst(&a), as_blst(&b));
  return out;
}
Fp operator-(const Fp& a) noexcept {
  Fp out;
  blst_fp_cneg(as_blst(&out), as_blst(&a), true);
  return out;
}
Fp operator*(const Fp& a, const Fp& b) noexcept {
  Fp out;
  blst_fp_mul(as_blst(&out), as_blst(&a), as_blst(&b));
  return out;
}
Fp Fp::squared() const noexcept {
  Fp out;
  blst_fp_sqr(as_blst(&out), as_blst(this));
  return out;
}
Fp Fp::inverse() const noexcept {
  Fp out;
  blst_fp_eucl_inverse(as_blst(&out), as_blst(this));
  return out;
}
std::optional<Fp> Fp::sqrt() const noexcept {
  Fp out;
  if (!blst_fp_sqrt(as_blst(&out), as_blst(this))) return std::nullopt;
  return out;
}

Fp2 operator+(const Fp2& a, const Fp2& b) noexcept {
  return {a.c0 + b.c0, a.c1 + b.c1};
}
Fp2 operator-(const Fp2& a, const Fp2& b) noexcept {
  return {a.c0 - b.c0, a.c1 - b.c1};
}
Fp2 operator-(const Fp2& a) noexcept {
  return {-a.c0, -a.c1};
}
Fp2 operator*(const Fp2& a, const Fp2& b) noexcept {
  Fp2 out;
  blst_fp2_mul(as_blst(&out), as_blst(&a), as_blst(&b));
  return out;
}
Fp2 Fp2::squared() const noexcept {
  Fp2 out;
  blst_fp2_sqr(as_blst(&out), as_blst(this));
  return out;
}
Fp2 Fp2::inverse() const noexcept {
  Fp2 out;
  blst_fp2_eucl_inverse(as_blst(&out), as_blst(this));
  return out;
}
std::optional<Fp2> Fp2::sqrt() const noexcept {
  Fp2 out;
  if (!blst_fp2_sqrt(as_blst(&out), as_blst(this))) return std::nullopt;
  return out;
}

}  // namespace pinion::bls
