#include "queries.hpp"

#include <fmt/format.h>

#include <atomic>

#include "qap.hpp"

namespace pinion::groth16 {

using bls::Fr;

namespace {

std::string variable_name(std::size_t index, std::size_t inputs) {
  return index < inputs ? fmt::format("input {}", index) : fmt::format("aux {}", index - inputs);
}

// Turns w, in place, into what ic and l hold; then every variable must have something.
Result<void> extend(QapAtPoint& qap, std::size_t inputs, const ToxicWaste& waste, Executor& executor) {
  std::vector<Fr>& w = qap[Matrix::c];
  const std::vector<Fr>&u = qap[Matrix::a], &v = qap[Matrix::b];
  const Fr gamma = waste.gamma.inverse(), delta = waste.delta.inverse();
  std::atomic<std::size_t> vanishing{w.size()};
  executor.for_range(w.size(), 4096, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      w[i] = (waste.beta * u[i] + waste.alpha * v[i] + w[i]) * (i < inputs ? gamma : delta);
      std::size_t least = vanishing.load(std::memory_order_relaxed);
      while (w[i].is_zero() && i < least && !vanishing.compare_exchange_weak(least, i)) {
      }
    }
  });
  if (vanishing == w.size()) return {};
  return Error{ErrorCode::mismatch, fmt::format("setup: {} is unconstrained: it occurs in no row of the circuit",
                                                variable_name(vanishing, inputs))};
}

// Drops, in place, the variables that a query's density leaves out. The reference drops those whose value vanishes;
// prover and key agree only if these are the same.
Result<void> keep_dense(std::vector<Fr>& values, std::size_t inputs, const Bitmap* input_density,
                        const Bitmap& aux_density, const char* query) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool dense = i < inputs ? !input_density || input_density->test(i) : aux_density.test(i - inputs);
    if (!dense) continue;
    if (values[i].is_zero())
      return Error{ErrorCode::mismatch, fmt::format("setup: the point of {} in the query {} vanishes at these secrets; "
                                                    "draw them again",
                                                    variable_name(i, inputs), query)};
    values[kept++] = values[i];
  }
  values.resize(kept);
  values.shrink_to_fit();
  return {};
}

}  // namespace

Result<QueryScalars> QueryScalars::of(const Shape& shape, const ToxicWaste& waste, Executor& executor) {
  QapAtPoint qap = evaluate_qap(shape, waste.tau, executor);
  const std::size_t inputs = shape.num_inputs();
  if (auto extended = extend(qap, inputs, waste, executor); !extended) return extended.error();
  if (auto kept = keep_dense(qap[Matrix::a], inputs, nullptr, shape.a_aux(), "a"); !kept) return kept.error();
  if (auto kept = keep_dense(qap[Matrix::b], inputs, &shape.b_input(), shape.b_aux(), "b"); !kept) return kept.error();
  return QueryScalars{std::move(qap[Matrix::c]), std::move(qap[Matrix::a]), std::move(qap[Matrix::b]), inputs};
}

void quotient_query(const ToxicWaste& waste, std::uint64_t domain, std::uint64_t begin, std::span<Fr> out) {
  Fr value = waste.tau.pow(begin) * (waste.tau.pow(domain) - Fr::one()) * waste.delta.inverse();
  for (Fr& scalar : out) {
    scalar = value;
    value *= waste.tau;
  }
}

}  // namespace pinion::groth16
