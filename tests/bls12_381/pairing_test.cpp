// Pairings against vectors/prims/pairing.json.
#include <catch2/catch.hpp>
#include <pinion/bls12_381/pairing.hpp>

#include "read.hpp"

using namespace pinion::bls;
using namespace pinion::test;
using nlohmann::json;

TEST_CASE("the pairing is bilinear and equals the reference's") {
  const json all = read_json(small_vectors_dir() / "prims/pairing.json");
  for (const json& item : all["bilinear"]) {
    const Fr a = read_fr(item["a"]), b = read_fr(item["b"]);
    const auto p = read_point<G1Affine>(item["p"]);
    const auto q = read_point<G2Affine>(item["q"]);
    const Gt value = pairing(p, q);
    Bytes bytes;
    for (const Fp& coefficient : value.coefficients())
      for (const std::uint8_t byte : coefficient.to_bytes()) bytes.push_back(byte);
    CHECK(sha256_hex(bytes) == item["gt_sha256"].get<std::string>());
    const auto generator = pairing((G1::generator() * (a * b)).to_affine(), G2Affine::generator());
    CHECK(generator == value);
    CHECK(pairing(p, (-G2(q)).to_affine()) * value == Gt::one());
  }
}

TEST_CASE("products of pairings") {
  const json all = read_json(small_vectors_dir() / "prims/pairing.json");
  for (const json& item : all["products"]) {
    INFO(item["what"].dump());
    MillerValue product;
    for (const json& pair : item["pairs"])
      product *= MillerValue::of(read_point<G1Affine>(pair[0]), read_point<G2Affine>(pair[1]));
    CHECK(product.final_exponentiation().is_one() == item["is_one"].get<bool>());
  }
  CHECK(MillerValue().final_exponentiation().is_one());
  CHECK(pairing(G1Affine::infinity(), G2Affine::generator()).is_one());
  CHECK(pairing(G1Affine::generator(), G2Affine::infinity()).is_one());
}
