// Where random bytes come from: a function the caller brings, so that nothing here owns a generator.
#pragma once

#include <cstdint>
#include <functional>
#include <pinion/bls12_381/fr.hpp>
#include <span>

namespace pinion::groth16 {

// Fills the span with random bytes.
using RandomBytes = std::function<void(std::span<std::uint8_t>)>;

// The operating system's generator, getrandom(2). [any]
void system_random(std::span<std::uint8_t> out);

// Uniform in Fr: 32 bytes little-endian with the top bit cleared, drawn again until below r. The same bytes give
// blstrs' Scalar::random. [any]
bls::Fr random_scalar(const RandomBytes& random);

}  // namespace pinion::groth16
