// The quadratic arithmetic program of a shape at one point tau: for each variable the values of its polynomials u, v, w
// (A, B, C) there. What setup needs; provers never see tau. Source: Gennaro, Gentry, Parno, Raykova 2013; bellperson
// 0.27 groth16/generator.rs.
#pragma once

#include <array>
#include <cstdint>
#include <pinion/executor.hpp>
#include <span>
#include <vector>

#include "shape.hpp"

namespace pinion::groth16 {

// The smallest power of two that holds all rows. [any]
std::uint64_t domain_size(const Shape& shape);

// Lagrange polynomials of the powers of w (of order `size`) at tau, which is none of them:
//   L_i(tau) = (tau^size - 1) / size * w^i / (tau - w^i)
// for i = begin … begin + out.size() - 1. One inversion per call. [any]
void lagrange_at(const bls::Fr& tau, std::uint64_t size, std::uint64_t begin, std::span<bls::Fr> out);

// values[m][j] = sum over rows i of M_ij * L_i(tau) for matrix m and variable j: inputs first, then aux, each
// ascending.
struct QapAtPoint {
  std::array<std::vector<bls::Fr>, 3> values;
  std::vector<bls::Fr>& operator[](Matrix m) { return values[static_cast<std::size_t>(m)]; }
};

// Takes 3 * 32 bytes per variable and 4 MiB. The shape has C; tau^domain_size != 1. Throws Cancelled. [worker]
QapAtPoint evaluate_qap(const Shape& shape, const bls::Fr& tau, Executor& executor);

}  // namespace pinion::groth16
