// Witness: a view of one assignment of a circuit's variables. Packed, aux that the shape calls bits lie in a bitmap and
// the others densely, in allocation order; plain, every aux is a scalar. Not an owner.
#pragma once

#include <cstdint>
#include <pinion/bls12_381/fr.hpp>
#include <span>

#include "shape.hpp"

namespace pinion::groth16 {

struct Witness {
  std::span<const bls::Fr> inputs;      // num_inputs, [0] = 1
  std::span<const std::uint64_t> bits;  // packed: ceil(num_aux / 64) words, 0 where aux is no bit; plain: empty
  std::span<const bls::Fr> scalars;     // packed: num_scalars; plain: num_aux

  bool is_packed(const Shape& shape) const { return scalars.size() != shape.num_aux(); }
};

// Lengths, ONE, and for a packed one the bits that must be zero. Not the constraints. mismatch. [any]
Result<void> check_witness(const Shape& shape, const Witness& witness);

// Value of aux i (of a witness that passed check_witness).
bls::Fr aux_value(const Shape& shape, const Witness& witness, std::uint32_t i);

}  // namespace pinion::groth16
