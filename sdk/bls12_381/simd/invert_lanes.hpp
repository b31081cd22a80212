// The one step of batched inversion that stays scalar: the inverses of eight lanes' products.
#pragma once

#include <cstdint>

namespace pinion::bls::simd {

// Eight non-zero elements in blst's form, 6 (12) words each, to their inverses in place: one inversion, 21
// multiplications. [any]
void invert_eight_fp(std::uint64_t* elements) noexcept;
void invert_eight_fp2(std::uint64_t* elements) noexcept;

}  // namespace pinion::bls::simd
