// Which query holds what (spec §2.2): the factors that, times a generator, are the points of a proving key.
// Source: Groth 2016, §3.2; bellperson 0.27 groth16/generator.rs.
#pragma once

#include <pinion/executor.hpp>
#include <span>
#include <vector>

#include "result.hpp"
#include "shape.hpp"
#include "toxic_waste.hpp"

namespace pinion::groth16 {

// u, v, w: the variables' polynomials at tau (qap.hpp). Every list has the inputs first, each part ascending.
struct QueryScalars {
  std::vector<bls::Fr> extended;  // (beta u + alpha v + w), over gamma for inputs (ic), over delta for aux (l)
  std::vector<bls::Fr> a;         // u of all inputs and of the aux that occur in A
  std::vector<bls::Fr> b;         // v of the inputs and aux that occur in B: for b_g1 and b_g2
  std::size_t inputs = 0;

  std::span<const bls::Fr> ic() const { return std::span(extended).first(inputs); }
  std::span<const bls::Fr> l() const { return std::span(extended).subspan(inputs); }

  // mismatch when an aux occurs in no row, or where a value vanishes at these secrets although the variable occurs:
  // the reference would leave its point out, and no prover would know. 96 bytes per variable. [worker]
  static Result<QueryScalars> of(const Shape& shape, const ToxicWaste& waste, Executor& executor);
};

// h_i = tau^i (tau^m - 1) / delta for i = begin … begin + out.size() - 1, m the size of the domain. [any]
void quotient_query(const ToxicWaste& waste, std::uint64_t domain, std::uint64_t begin, std::span<bls::Fr> out);

}  // namespace pinion::groth16
