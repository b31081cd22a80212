#include "quotient.hpp"

namespace pinion::cuda {

Status quotient(const Ntt& ntt, Fr* a, Fr* b, Fr* c, Stream stream) {
  PINION_TRY(ntt.run(Transform::inverse_to_permuted, c, stream, {.a = a, .b = b}));
  for (Fr* const x : {a, b}) {
    PINION_TRY(ntt.run(Transform::inverse_to_permuted, x, stream));
    PINION_TRY(ntt.run(Transform::coset_forward_to_natural, x, stream));
  }
  return ntt.run(Transform::coset_inverse_to_permuted, a, stream,
                 {.a = a, .b = b, .minus = c, .factor = ntt.quotient_factor()});
}

}  // namespace pinion::cuda
