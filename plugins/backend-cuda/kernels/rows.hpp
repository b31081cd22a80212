// Evaluation of a circuit's rows on the device, <A_i, w> for all i: the sparse product that makes a and b from a shape
// and a packed witness. Bits cost a test and an addition; products are made only for scalars.
#pragma once

#include <cstddef>
#include <cstdint>

#include "status.hpp"
#include "witness.hpp"

namespace pinion::cuda {

// One matrix of a shape's flat form in device memory (sdk/groth16/shape_format.hpp has the sections).
struct DeviceRows {
  const Fr* coefficients = nullptr;
  const std::uint32_t* pattern_begin = nullptr;  // 3 entries a pattern, of matrices A, B, C
  const std::uint32_t* pattern_coefficients = nullptr;
  const std::uint32_t* row_patterns = nullptr;
  const std::uint64_t* block_begin = nullptr;  // of this matrix, as is `columns`
  const std::uint32_t* columns = nullptr;
  unsigned matrix = 0;  // 0, 1, 2
  std::uint64_t num_rows = 0;
};

// out[i] = <row i, w> for i < num_rows, 0 for the rest of `size` elements. [any]
Status evaluate_rows(const DeviceRows& rows, const DeviceWitness& witness, Fr* out, std::size_t size, Stream stream);

}  // namespace pinion::cuda
