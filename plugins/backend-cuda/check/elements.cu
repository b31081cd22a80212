#include "elements.hpp"
#include "ntt_tile.cuh"

namespace pinion::cuda::check {
namespace {

PINION_DEVICE u64 mix(u64 x) {  // Steele, Lea and Flood's SplitMix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
PINION_DEVICE Fr random_element(u64 seed, u64 i) {
  Fr out;
  PINION_UNROLL
  for (unsigned j = 0; j < 4; ++j) {
    const u64 word = mix(seed + (4 * i + j + 1) * 0x9e3779b97f4a7c15);
    out.limb[2 * j] = static_cast<u32>(word);
    out.limb[2 * j + 1] = static_cast<u32>(word >> 32);
  }
  out.limb[7] &= 0x3fffffff;  // below r
  return out;
}

__global__ void fill_kernel(Fr* out, std::size_t count, u64 seed) {
  for (std::size_t i = global_thread(); i < count; i += global_threads()) ntt::store(out + i, random_element(seed, i));
}
__global__ void compare_kernel(const Fr* data, std::size_t count, u64 seed, unsigned* different) {
  for (std::size_t i = global_thread(); i < count; i += global_threads())
    if (!(ntt::load_data(data + i) == random_element(seed, i))) atomicAdd(different, 1U);
}

struct Digits {
  unsigned count, bits[4];
};
PINION_DEVICE std::size_t position_of(std::size_t index, Digits digits, unsigned lg_size) {
  std::size_t position = 0;
  for (unsigned i = 0; i < digits.count; ++i) {
    lg_size -= digits.bits[i];
    position |= (index & ((std::size_t{1} << digits.bits[i]) - 1)) << lg_size;
    index >>= digits.bits[i];
  }
  return position;
}
__global__ void evaluate_kernel(const Fr* coefficients, unsigned lg_size, Digits digits, const Fr* point, Fr* parts,
                                unsigned part_count) {
  const std::size_t part = global_thread();
  if (part >= part_count) return;
  const std::size_t length = (std::size_t{1} << lg_size) / part_count;
  const Fr x = ntt::load_data(point);
  Fr sum = fr_zero();
  for (std::size_t i = length; i-- > 0;)
    sum = sum * x + ntt::load_data(coefficients + position_of(part * length + i, digits, lg_size));
  parts[part] = sum * fr_pow(x, part * length);
}

}  // namespace

Status fill_random(Fr* out, std::size_t count, std::uint64_t seed, Stream stream) {
  return launch("random elements", fill_kernel, {blocks_for(count, 256), 256}, stream, out, count, seed);
}
Status count_different(const Fr* data, std::size_t count, std::uint64_t seed, unsigned* different, Stream stream) {
  return launch("comparing elements", compare_kernel, {blocks_for(count, 256), 256}, stream, data, count, seed,
                different);
}
Status evaluate(const Fr* coefficients, unsigned lg_size, bool permuted, const Fr* point, Fr* parts, Stream stream) {
  Digits digits{1, {lg_size}};
  if (permuted) {
    const NttDigits split(lg_size);
    digits.count = split.count;
    for (unsigned i = 0; i < 4; ++i) digits.bits[i] = split.bits[i];
  }
  const std::size_t size = std::size_t{1} << lg_size;
  const unsigned part_count = size < evaluation_parts ? static_cast<unsigned>(size) : evaluation_parts;
  return launch("evaluating a polynomial", evaluate_kernel, {blocks_for(part_count, 64), 64}, stream, coefficients,
                lg_size, digits, point, parts, part_count);
}

}  // namespace pinion::cuda::check
