// Many independent affine additions with one field inversion (Montgomery's trick): 5 multiplications and a squaring
// each, where a Jacobian addition takes 11 to 16. For precomputed tables; buckets of a Pippenger live in the backends.
// Every special case (infinity, equal and opposite points) is handled; nothing is constant-time.
#pragma once

#include <cstdint>
#include <span>

#include "curve.hpp"

namespace pinion::bls {

// sums[i] += digits[i] * base, where table[k] = (k + 1) * base for all |digits[i]| <= table.size(). The spans sums,
// digits and scratch have the same length, at best a few thousand (what fits into the L2 cache); scratch is
// overwritten. [any]
template <class Field>
void add_multiples(std::span<Affine<Field>> sums, std::span<const Affine<Field>> table,
                   std::span<const std::int32_t> digits, std::span<Field> scratch);

}  // namespace pinion::bls
