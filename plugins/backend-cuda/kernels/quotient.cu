#include "ntt_tile.cuh"
#include "quotient.hpp"

namespace pinion::cuda {
namespace {

__global__ void subtract_scaled(Fr* out, const Fr* b, const Fr* factor, std::size_t count) {
  const Fr k = ntt::load(factor);
  for (std::size_t i = global_thread(); i < count; i += global_threads())
    ntt::store(out + i, (ntt::load_data(out + i) - ntt::load_data(b + i)) * k);
}

}  // namespace

Status coset_products(const Ntt& ntt, Fr* a, Fr* b, Fr* c, Stream stream) {
  const std::size_t size = std::size_t{1} << ntt.lg_size();
  PINION_TRY(multiply(c, a, b, size, stream));
  for (Fr* const x : {a, b}) {
    PINION_TRY(ntt.run(Transform::inverse_to_permuted, x, stream));
    PINION_TRY(ntt.run(Transform::coset_forward_to_natural, x, stream));
  }
  return multiply(a, a, b, size, stream);
}

Status quotient(const Ntt& ntt, Fr* a, Fr* b, Fr* c, Stream stream) {
  const std::size_t size = std::size_t{1} << ntt.lg_size();
  PINION_TRY(coset_products(ntt, a, b, c, stream));
  PINION_TRY(ntt.run(Transform::inverse_to_permuted, c, stream));
  PINION_TRY(ntt.run(Transform::coset_inverse_to_permuted, a, stream));
  return launch("the quotient", subtract_scaled, {blocks_for(size, 256), 256}, stream, a, c, ntt.quotient_factor(),
                size);
}

}  // namespace pinion::cuda
