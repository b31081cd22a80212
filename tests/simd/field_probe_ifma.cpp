#include <pinion/bls12_381/simd/ifma_field.hpp>

#include "field_probe_table.hpp"

namespace pinion::test {

const FieldProbe& fp_ifma() {
  static constexpr FieldProbe table = Probe<bls::simd::FpIfma>::table();
  return table;
}
const FieldProbe& fr_ifma() {
  static constexpr FieldProbe table = Probe<bls::simd::FrIfma>::table();
  return table;
}

}  // namespace pinion::test
