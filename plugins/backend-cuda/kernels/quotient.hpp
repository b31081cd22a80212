// From the evaluations of A and B on the domain to the scalars of the H query, c = a b on the domain being understood
// (the witness satisfies the circuit; otherwise the proof does not verify, whatever c).
//
// Six transforms: h = (I'(a' b') - I(a b)) / (7^n - 1), where I, I' are the inverse transforms on the domain and on its
// coset and a', b' the evaluations on the coset: a b mod (X^n - 1) and mod (X^n - 7^n) determine the quotient. The
// scalars come out in permuted order (permuted_index), so the H query is kept in that order.
// Source: spec of the GPU part, 4e; as in rapidsnark, C is never evaluated. Why not four: docs/design-cuda.md.
#pragma once

#include "ntt.hpp"

namespace pinion::cuda {

// a := h, permuted (the last coefficient of a true quotient is 0); b is destroyed, c is scratch. 2^lg_size elements
// each. The steps in their order, each enqueues and returns. [any]
struct Quotient {
  const Ntt& ntt;
  Fr *a, *b, *c;
  Stream stream;

  // The first passes: all parts, in any order. One needs of a and b only its NttColumns.
  Status begin(NttPart part = {}) const;
  // a and b on the coset, and the coefficients of c.
  Status to_coset() const;
  Status from_coset() const;
};
// All of them.
Status quotient(const Ntt& ntt, Fr* a, Fr* b, Fr* c, Stream stream);

}  // namespace pinion::cuda
