// Distinct points of the subgroup to compute with.
#pragma once

#include <pinion/bls12_381/curve.hpp>
#include <vector>

namespace pinion::bls {

// 1, 3, 7, 15, … times the generator.
template <class Field>
std::vector<Affine<Field>> multiples(std::size_t count) {
  std::vector<Jacobian<Field>> points(count);
  Jacobian<Field> next = Jacobian<Field>::generator();
  for (auto& point : points) next = (point = next).doubled() + Affine<Field>::generator();
  std::vector<Affine<Field>> out(count);
  batch_to_affine<Field>(points, out);
  return out;
}

}  // namespace pinion::bls
