// Row evaluations <M_i, w> of a shape and a witness: the vectors a, b, c of Groth16. Bits cost a test and an addition;
// products are made only for scalars with a coefficient other than 1 and -1.
#pragma once

#include <cstdint>
#include <pinion/bls12_381/fr.hpp>
#include <pinion/executor.hpp>
#include <span>

#include "witness.hpp"

namespace pinion::groth16 {

// out[i - begin] = <M_i, w> for the rows [begin, end) of a matrix that the shape has; out.size() == end - begin; the
// witness passed check_witness. Cheapest when begin is a multiple of 256. [any]
void evaluate_rows(const Shape& shape, Matrix matrix, const Witness& witness, std::uint64_t begin, std::uint64_t end,
                   std::span<bls::Fr> out);

// All rows: out.size() == num_rows (rows beyond, up to the domain size, are the caller's zeros). [worker]
void evaluate(const Shape& shape, Matrix matrix, const Witness& witness, std::span<bls::Fr> out, Executor& executor);

// The first row with a_i * b_i != c_i, or num_rows() when the witness satisfies the shape (which has C). [worker]
std::uint64_t first_unsatisfied_row(const Shape& shape, const Witness& witness, Executor& executor);

}  // namespace pinion::groth16
