#include "invert_lanes.hpp"

#include <blst.h>

namespace pinion::bls::simd {
namespace {

// Montgomery's trick: invert the product, then peel the elements off it one by one.
template <class Element, auto mul, auto inverse>
void invert_eight(Element* elements) noexcept {
  Element before[8];  // before[i] = product of elements[0..i)
  before[1] = elements[0];
  for (int i = 2; i < 8; ++i) mul(&before[i], &before[i - 1], &elements[i - 1]);
  Element rest;  // inverse of the product of elements[0..i]
  mul(&rest, &before[7], &elements[7]);
  inverse(&rest, &rest);
  for (int i = 7; i > 0; --i) {
    Element own;
    mul(&own, &rest, &before[i]);
    mul(&rest, &rest, &elements[i]);
    elements[i] = own;
  }
  elements[0] = rest;
}

}  // namespace

void invert_eight_fp(std::uint64_t* elements) noexcept {
  invert_eight<blst_fp, blst_fp_mul, blst_fp_eucl_inverse>(reinterpret_cast<blst_fp*>(elements));
}
void invert_eight_fp2(std::uint64_t* elements) noexcept {
  invert_eight<blst_fp2, blst_fp2_mul, blst_fp2_eucl_inverse>(reinterpret_cast<blst_fp2*>(elements));
}

}  // namespace pinion::bls::simd
