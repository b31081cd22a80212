#include "quotient.hpp"

namespace pinion::cuda {

Status Quotient::begin(NttPart part) const {
  PINION_TRY(ntt.run_first(Transform::inverse_to_permuted, c, stream, {.a = a, .b = b}, part));
  for (Fr* const x : {a, b}) PINION_TRY(ntt.run_first(Transform::inverse_to_permuted, x, stream, {}, part));
  return {};
}

Status Quotient::to_coset() const {
  for (Fr* const x : {a, b, c}) PINION_TRY(ntt.run_rest(Transform::inverse_to_permuted, x, stream, {}));
  for (Fr* const x : {a, b}) PINION_TRY(ntt.run(Transform::coset_forward_to_natural, x, stream));
  return {};
}

Status Quotient::from_coset() const {
  return ntt.run(Transform::coset_inverse_to_permuted, a, stream,
                 {.a = a, .b = b, .minus = c, .factor = ntt.quotient_factor()});
}

Status quotient(const Ntt& ntt, Fr* a, Fr* b, Fr* c, Stream stream) {
  const Quotient steps{ntt, a, b, c, stream};
  PINION_TRY(steps.begin());
  PINION_TRY(steps.to_coset());
  return steps.from_coset();
}

}  // namespace pinion::cuda
