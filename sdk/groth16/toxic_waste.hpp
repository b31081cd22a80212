// The secrets of a setup. Whoever knows them can forge proofs: a key made from a label is for tests only, one made from
// random bytes is as trustworthy as the machine it was made on.
#pragma once

#include <pinion/bls12_381/curve.hpp>
#include <string_view>

#include "random.hpp"

namespace pinion::groth16 {

struct ToxicWaste {
  bls::Fr alpha, beta, gamma, delta, tau;

  // Each value = SHA-256(label + "/" + its name), the top two bits of the last byte cleared, little-endian. [any]
  static ToxicWaste from_label(std::string_view label);
  // In the reference's order of drawing. [any]
  static ToxicWaste draw(const RandomBytes& random);
};

// The points a setup starts from.
struct SetupGenerators {
  bls::G1Affine g1 = bls::G1Affine::generator();
  bls::G2Affine g2 = bls::G2Affine::generator();

  // What bellperson's generate_random_parameters draws before the toxic waste: 64 bytes for each. [any]
  static SetupGenerators draw(const RandomBytes& random);
};

}  // namespace pinion::groth16
