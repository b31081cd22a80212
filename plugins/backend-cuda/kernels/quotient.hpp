// From the evaluations of A and B on the domain to the scalars of the H query, c = a b on the domain being understood
// (the witness satisfies the circuit; otherwise the proof does not verify, whatever c).
//
// Six transforms: h = (I'(a' b') - I(a b)) / (7^n - 1), where I, I' are the inverse transforms on the domain and on its
// coset and a', b' the evaluations on the coset: a b mod (X^n - 1) and mod (X^n - 7^n) determine the quotient. The
// scalars come out in permuted order (permuted_index), so the H query is kept in that order.
// Four transforms: the two products themselves, for who keeps the H query in the Lagrange bases of both.
// Source: spec of the GPU part, 4e; as in rapidsnark, C is never evaluated.
#pragma once

#include "ntt.hpp"

namespace pinion::cuda {

// a, b: 2^lg_size elements each, destroyed. Enqueue and return. [any]
// a := a' b' on the coset, natural order; c := a b on the domain, natural order.
Status coset_products(const Ntt& ntt, Fr* a, Fr* b, Fr* c, Stream stream);
// a := h, permuted (the last coefficient of a true quotient is 0); c is scratch.
Status quotient(const Ntt& ntt, Fr* a, Fr* b, Fr* c, Stream stream);

}  // namespace pinion::cuda
