#include "control.hpp"
#include "fp_inverse.cuh"
#include "fr_factor.cuh"
#include "launch.cuh"

namespace pinion::cuda::check {
namespace {

constexpr unsigned rate_threads = 512, rate_blocks_each = 2, rounds = 4096, inverse_rounds = 32;

template <class Element>
PINION_DEVICE Element seeded(unsigned salt) {
  Element out;
  for (unsigned j = 0; j < sizeof(Element) / 4; ++j)
    out.limb[j] = (static_cast<u32>(global_thread()) + salt) * 2654435761U + j * 40503U;
  out.limb[sizeof(Element) / 4 - 1] &= 0x0fffffff;
  return out;
}

// Eight multiply-adds a round, each with carry in and out; every factor depends on the round before, or the compiler
// would take the products out of the loop.
__global__ void __launch_bounds__(rate_threads) wide_chain(u32* sink) {
  Fr a = seeded<Fr>(1), even = seeded<Fr>(2), odd = seeded<Fr>(3);
  for (unsigned i = 0; i < rounds; ++i) {
    mad_row<8>(even.limb, a.limb, odd.limb[0]);
    mad_row<8>(odd.limb, a.limb + 1, even.limb[1]);
  }
  for (unsigned j = 1; j < 8; ++j) even.limb[0] ^= even.limb[j] ^ odd.limb[j];
  sink[global_thread()] = even.limb[0];
}

template <class Element, bool Square>
__global__ void __launch_bounds__(rate_threads) multiply_chain(u32* sink) {
  Element x = seeded<Element>(1);
  const Element y = seeded<Element>(2);
  for (unsigned i = 0; i < rounds; ++i) {
    if constexpr (Square)
      x = square(x);
    else
      x = x * y;
  }
  for (unsigned j = 1; j < sizeof(Element) / 4; ++j) x.limb[0] ^= x.limb[j];
  sink[global_thread()] = x.limb[0];
}

__global__ void __launch_bounds__(rate_threads) factor_chain(u32* sink) {
  Fr x = seeded<Fr>(1);
  const FrFactor w{seeded<Fr>(2), seeded<Fr>(3)};
  for (unsigned i = 0; i < rounds; ++i) x = x * w;
  for (unsigned j = 1; j < 8; ++j) x.limb[0] ^= x.limb[j];
  sink[global_thread()] = x.limb[0];
}

__global__ void __launch_bounds__(rate_threads) inverse_chain(u32* sink) {
  Fp x = seeded<Fp>(1);
  for (unsigned i = 0; i < inverse_rounds; ++i) x = inverted(x);
  for (unsigned j = 1; j < 12; ++j) x.limb[0] ^= x.limb[j];
  sink[global_thread()] = x.limb[0];
}

__global__ void copy_words(uint4* to, const uint4* from, std::size_t count) {
  for (std::size_t i = global_thread(); i < count; i += global_threads()) to[i] = from[i];
}

}  // namespace

double operations(Operation operation, unsigned multiprocessors) {
  const double each = operation == Operation::wide ? 8 : 1;
  const unsigned times = operation == Operation::fp_inverse ? inverse_rounds : rounds;
  return each * times * rate_threads * rate_blocks_each * multiprocessors;
}

Status rate(Operation operation, unsigned multiprocessors, void* sink, Stream stream) {
  const Shape shape{multiprocessors * rate_blocks_each, rate_threads};
  u32* const out = static_cast<u32*>(sink);
  switch (operation) {
    case Operation::wide:
      return launch("the wide multiply rate", wide_chain, shape, stream, out);
    case Operation::fr_multiply:
      return launch("the Fr multiplication rate", multiply_chain<Fr, false>, shape, stream, out);
    case Operation::fr_multiply_by_factor:
      return launch("the rate of Fr multiplications by a factor", factor_chain, shape, stream, out);
    case Operation::fp_multiply:
      return launch("the Fp multiplication rate", multiply_chain<Fp, false>, shape, stream, out);
    case Operation::fp_inverse:
      return launch("the Fp inversion rate", inverse_chain, shape, stream, out);
    default:
      return launch("the Fp squaring rate", multiply_chain<Fp, true>, shape, stream, out);
  }
}

Status copy_kernel(void* to, const void* from, std::size_t bytes, Stream stream) {
  const std::size_t count = bytes / 16;
  return launch("a copy", copy_words, {blocks_for(count, 256 * 4), 256}, stream, static_cast<uint4*>(to),
                static_cast<const uint4*>(from), count);
}

}  // namespace pinion::cuda::check
