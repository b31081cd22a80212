// Single operations of the lanes, reachable from code that is not compiled for AVX-512. Eight elements each, blst's
// form, results reduced.
#pragma once

#include <cstdint>

namespace pinion::test {

struct FieldProbe {
  using Binary = void (*)(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out);
  Binary mul, add, sub, square;  // square ignores b
  // a*b + c*d with a b c d = a b a b, computed as one sum; and a - b - b
  Binary mul_sum, sub_twice;
  // ((a + b) * b - a) through unreduced sums, as transforms do, repeated so that values grow to 32r
  Binary lazy;
  // negates a where b is zero; a where equal to b, else zero
  Binary negate_if, same_or_zero;
};

const FieldProbe& fp_portable();
const FieldProbe& fr_portable();
const FieldProbe& fp_ifma();
const FieldProbe& fr_ifma();

}  // namespace pinion::test
