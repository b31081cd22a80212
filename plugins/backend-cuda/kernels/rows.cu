#include "bitmap.cuh"
#include "ntt_tile.cuh"
#include "rows.hpp"

namespace pinion::cuda {
namespace {

constexpr unsigned block_rows = 256;  // of the flat form: where columns may be found without reading earlier rows
constexpr u32 input_flag = 0x80000000;

// sum += coefficient * value of the variable
PINION_DEVICE void add_term(Fr& sum, const DeviceWitness& witness, u32 variable, const Fr* coefficient) {
  const Fr* value = nullptr;
  if ((variable & input_flag) != 0) {
    value = witness.inputs + (variable & ~input_flag);
  } else if (witness.bits == nullptr) {
    value = witness.scalars + variable;
  } else if ((witness.is_bit.words[variable / 64] >> (variable % 64) & 1) != 0) {
    if ((witness.bits[variable / 64] >> (variable % 64) & 1) != 0) sum = sum + ntt::load(coefficient);
    return;
  } else {
    value = witness.scalars + (witness.scalars_are_dense ? rank_of_zero(witness.is_bit, variable) : variable);
  }
  sum = sum + ntt::load(coefficient) * ntt::load(value);
}

// A block of rows a block of threads: their lengths come from their patterns, their places by a scan.
__global__ void __launch_bounds__(block_rows) rows_kernel(const DeviceRows rows, const DeviceWitness witness, Fr* out) {
  u32* const ends = shared_memory<u32>();
  const u64 row = u64{blockIdx.x} * block_rows + threadIdx.x;
  const bool there = row < rows.num_rows;
  const u32* const begin = there ? rows.pattern_begin + std::size_t{3} * rows.row_patterns[row] + rows.matrix : nullptr;
  const u32 length = there ? begin[1] - begin[0] : 0;
  ends[threadIdx.x] = length;
  __syncthreads();
  for (unsigned step = 1; step < block_rows; step *= 2) {
    const u32 before = threadIdx.x >= step ? ends[threadIdx.x - step] : 0;
    __syncthreads();
    ends[threadIdx.x] += before;
    __syncthreads();
  }
  if (!there) return;
  const u32* const columns = rows.columns + rows.block_begin[blockIdx.x] + (ends[threadIdx.x] - length);
  const u32* const ids = rows.pattern_coefficients + begin[0];
  Fr sum = fr_zero();
  for (u32 k = 0; k < length; ++k) add_term(sum, witness, columns[k], rows.coefficients + ids[k]);
  ntt::store(out + row, sum);
}

}  // namespace

Status evaluate_rows(const DeviceRows& rows, const DeviceWitness& witness, Fr* out, std::size_t size, Stream stream) {
  PINION_TRY(launch("the rows of the circuit", rows_kernel,
                    {blocks_for(rows.num_rows, block_rows), block_rows, block_rows * sizeof(u32)}, stream, rows,
                    witness, out));
  return fill(out + rows.num_rows, 0, (size - rows.num_rows) * sizeof(Fr), stream, "the domain beyond the rows");
}

}  // namespace pinion::cuda
