// Domains too small for tiles, and the scaling that no proof needs: plain code over single elements.
#pragma once

#include <pinion/bls12_381/fr.hpp>
#include <pinion/executor.hpp>
#include <span>

namespace pinion::groth16 {

class Domain;

// values[k] = sum of values[i] root^(i k), natural order; root of order values.size(), a power of two. [any]
void small_transform(std::span<bls::Fr> values, const bls::Fr& root);
// values[i] *= base^i [worker]
void multiply_by_powers(std::span<bls::Fr> values, const bls::Fr& base, Executor& executor);
// `from` at the start of `to`, of which it may already be that; zeros beyond. [any]
void small_copy(std::span<const bls::Fr> from, std::span<bls::Fr> to);
// Domain::end_quotient by the definition, over the domain's own transforms. [worker]
void small_quotient(const Domain& domain, std::span<bls::Fr> a, std::span<bls::Fr> b, std::span<bls::Fr> c,
                    Executor& executor);

}  // namespace pinion::groth16
