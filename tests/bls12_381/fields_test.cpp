// Fr, Fp and Fp2 against vectors/prims/fields.json.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "read.hpp"

using namespace pinion::bls;
using namespace pinion::test;
using nlohmann::json;

namespace {
const json& vectors() {
  static const json all = read_json(small_vectors_dir() / "prims/fields.json");
  return all;
}

template <class Limbs>
void check_limbs(const Limbs& limbs, const json& hex) {
  for (std::size_t i = 0; i < limbs.size(); ++i)
    CHECK(limbs[i] == std::strtoull(hex[i].get<std::string>().c_str(), nullptr, 16));
}
}  // namespace

TEST_CASE("Fr pairs") {
  for (const json& pair : vectors()["fr"]["pairs"]) {
    const Fr a = read_fr(pair["a"]), b = read_fr(pair["b"]);
    CHECK(a + b == read_fr(pair["add"]));
    CHECK(a - b == read_fr(pair["sub"]));
    CHECK(a * b == read_fr(pair["mul"]));
    CHECK(Fr{detail::fr_mul(a.limb, b.limb)} == read_fr(pair["mul"]));  // the constexpr path
  }
}

TEST_CASE("Fr alone") {
  for (const json& unary : vectors()["fr"]["unary"]) {
    const Fr a = read_fr(unary["a"]);
    check_limbs(a.limb, unary["mont_limbs"]);
    CHECK(to_hex(a.to_bytes()) == unary["a"].get<std::string>());
    CHECK(a.doubled() == read_fr(unary["double"]));
    CHECK(a.squared() == read_fr(unary["square"]));
    CHECK(-a == read_fr(unary["neg"]));
    CHECK(a.inverse() == (unary["inv"].is_null() ? Fr::zero() : read_fr(unary["inv"])));
    CHECK(a.pow(std::stoull(unary["exp"].get<std::string>())) == read_fr(unary["pow"]));
  }
  for (const json& power : vectors()["fr"]["pow"]) {
    Limbs exponent{};
    for (std::size_t i = 0; i < 4; ++i)
      exponent[i] = std::strtoull(power["exp_limbs"][i].get<std::string>().c_str(), nullptr, 16);
    CHECK(read_fr(power["a"]).pow(exponent) == read_fr(power["pow"]));
  }
}

TEST_CASE("Fr refuses what is not below r") {
  for (const json& decode : vectors()["fr"]["decode"]) {
    INFO(decode["value"].dump());
    CHECK(Fr::from_bytes(read_bytes<32>(decode["bytes_le"])).has_value() == decode["accepted"].get<bool>());
  }
}

TEST_CASE("Fp pairs") {
  for (const json& pair : vectors()["fp"]["pairs"]) {
    const Fp a = read_fp(pair["a"]), b = read_fp(pair["b"]);
    CHECK(a + b == read_fp(pair["add"]));
    CHECK(a - b == read_fp(pair["sub"]));
    CHECK(a * b == read_fp(pair["mul"]));
  }
}

TEST_CASE("Fp alone") {
  for (const json& unary : vectors()["fp"]["unary"]) {
    const Fp a = read_fp(unary["a"]);
    check_limbs(a.limb, unary["mont_limbs"]);
    CHECK(to_hex(a.to_bytes()) == unary["a"].get<std::string>());
    CHECK(a.squared() == read_fp(unary["square"]));
    CHECK(-a == read_fp(unary["neg"]));
    CHECK(a.inverse() == (unary["inv"].is_null() ? Fp::zero() : read_fp(unary["inv"])));
    const auto root = a.sqrt();
    REQUIRE(root.has_value() == !unary["sqrt"].is_null());
    if (root) CHECK(root->squared() == a);
  }
  Bytes48 modulus = (-Fp::one()).to_bytes();
  CHECK(Fp::from_bytes(modulus).has_value());
  ++modulus[47];
  CHECK_FALSE(Fp::from_bytes(modulus).has_value());
}

TEST_CASE("Fp2") {
  for (const json& item : vectors()["fp2"]) {
    const Fp2 a = read_fp2(item["a"]), b = read_fp2(item["b"]);
    CHECK(a + b == read_fp2(item["add"]));
    CHECK(a - b == read_fp2(item["sub"]));
    CHECK(a * b == read_fp2(item["mul"]));
    CHECK(-a + a == Fp2::zero());
    CHECK(a.squared() == read_fp2(item["square"]));
    CHECK(a.inverse() == (item["inv_a"].is_null() ? Fp2::zero() : read_fp2(item["inv_a"])));
    const auto root = a.sqrt();
    REQUIRE(root.has_value() == !item["sqrt_a"].is_null());
    if (root) CHECK(root->squared() == a);
    CHECK(a.squared().sqrt().value().squared() == a.squared());
  }
}
