#include "fr.hpp"

#include <blst.h>

namespace pinion::bls::detail {

// blst_fr is uint64_t l[4] in the same form; blst's routines accept overlapping arguments.
static_assert(sizeof(blst_fr) == 4 * sizeof(std::uint64_t));

void fr_mul_blst(std::uint64_t out[4], const std::uint64_t a[4], const std::uint64_t b[4]) noexcept {
  blst_fr_mul(reinterpret_cast<blst_fr*>(out), reinterpret_cast<const blst_fr*>(a),
              reinterpret_cast<const blst_fr*>(b));
}
void fr_sqr_blst(std::uint64_t out[4], const std::uint64_t a[4]) noexcept {
  blst_fr_sqr(reinterpret_cast<blst_fr*>(out), reinterpret_cast<const blst_fr*>(a));
}
void fr_inverse_blst(std::uint64_t out[4], const std::uint64_t a[4]) noexcept {
  blst_fr_eucl_inverse(reinterpret_cast<blst_fr*>(out), reinterpret_cast<const blst_fr*>(a));
}

}  // namespace pinion::bls::detail
