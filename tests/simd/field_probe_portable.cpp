#include <pinion/bls12_381/simd/portable_field.hpp>

#include "field_probe_table.hpp"

namespace pinion::test {

const FieldProbe& fp_portable() {
  static constexpr FieldProbe table = Probe<bls::simd::FpPortable>::table();
  return table;
}
const FieldProbe& fr_portable() {
  static constexpr FieldProbe table = Probe<bls::simd::FrPortable>::table();
  return table;
}

}  // namespace pinion::test
