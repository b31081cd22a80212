#include "toxic_waste.hpp"

#include <openssl/sha.h>

#include <string>

namespace pinion::groth16 {

namespace {
bls::Fr labelled(std::string_view label, std::string_view name) {
  const std::string message = std::string(label) + "/" + std::string(name);
  bls::Bytes32 bytes;
  SHA256(reinterpret_cast<const unsigned char*>(message.data()), message.size(), bytes.data());
  bytes[31] &= 0x3f;
  return bls::Fr::from_bytes(bytes).value();  // below 2^254, so below r
}
}  // namespace

ToxicWaste ToxicWaste::from_label(std::string_view label) {
  return {labelled(label, "alpha"), labelled(label, "beta"), labelled(label, "gamma"), labelled(label, "delta"),
          labelled(label, "tau")};
}

ToxicWaste ToxicWaste::draw(const RandomBytes& random) {
  ToxicWaste out;
  for (bls::Fr* value : {&out.alpha, &out.beta, &out.gamma, &out.delta, &out.tau}) *value = random_scalar(random);
  return out;
}

SetupGenerators SetupGenerators::draw(const RandomBytes& random) {
  SetupGenerators out;
  std::array<std::uint8_t, 64> bytes;
  random(bytes);
  out.g1 = bls::random_point<bls::Fp>(bytes).to_affine();
  random(bytes);
  out.g2 = bls::random_point<bls::Fp2>(bytes).to_affine();
  return out;
}

}  // namespace pinion::groth16
