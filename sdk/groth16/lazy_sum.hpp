// LazySum: a sum of field elements that is reduced once, at the end. For sums of many terms of which most are a
// coefficient or nothing, without a branch on which. Internal to sdk/groth16.
#pragma once

#include <cstdint>
#include <pinion/bls12_381/fr.hpp>

namespace pinion::groth16 {

// Limbs are single members and loops are written out: only then does GCC 12 at -O2 keep the sum in registers, which
// makes it three times as fast.
class LazySum {
 public:
  // At most 2^32 terms.
  void add(const bls::Fr& value) { add_masked(value, ~std::uint64_t{0}); }
  // + value if `bit` is 1, + 0 if it is 0.
  void add_if(const bls::Fr& value, std::uint64_t bit) { add_masked(value, 0 - bit); }

  void store(bls::Fr& out) const {
    if (limb4_ != 0 || limb3_ >= bls::Fr::modulus()[3]) {
      out.limb = bls::detail::fr_reduce_once(divided());
      return;
    }
    out.limb[0] = limb0_;
    out.limb[1] = limb1_;
    out.limb[2] = limb2_;
    out.limb[3] = limb3_;
  }

 private:
  void add_masked(const bls::Fr& value, std::uint64_t mask) {
    std::uint64_t carry = 0;
    limb0_ = bls::detail::add_carry(limb0_, value.limb[0] & mask, carry);
    limb1_ = bls::detail::add_carry(limb1_, value.limb[1] & mask, carry);
    limb2_ = bls::detail::add_carry(limb2_, value.limb[2] & mask, carry);
    limb3_ = bls::detail::add_carry(limb3_, value.limb[3] & mask, carry);
    limb4_ += carry;
  }

  // The sum less a multiple of the modulus, below twice the modulus. The quotient is estimated from the leading limbs
  // with the divisor rounded up, hence never too large; for a sum below 2^32 r the estimate before rounding down is
  // short by less than 2^-29 (Knuth, TAOCP 4.3.1, the same argument).
  bls::Limbs divided() const {
    const auto& r = bls::Fr::modulus();
    const auto leading = static_cast<unsigned __int128>(limb4_) << 64 | limb3_;
    const std::uint64_t quotient = static_cast<std::uint64_t>(leading / (r[3] + 1));
    bls::Limbs out{limb0_, limb1_, limb2_, limb3_};
    std::uint64_t borrow = 0, carry = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint64_t product = bls::detail::mul_add(0, quotient, r[i], carry);
      out[i] = bls::detail::sub_borrow(out[i], product, borrow);
    }
    return out;
  }

  std::uint64_t limb0_ = 0, limb1_ = 0, limb2_ = 0, limb3_ = 0, limb4_ = 0;
};

}  // namespace pinion::groth16
