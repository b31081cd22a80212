#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/circuit/poseidon.hpp>
#include <pinion/test/vectors.hpp>
#include <pinion/test_circuit/gadget_vectors.hpp>
#include <pinion/test_circuit/row_digest.hpp>

using namespace pinion;
using namespace pinion::circuit;
using nlohmann::json;
using test::fr_from_hex;

namespace {
std::string digest_of(std::span<const Fr> values) {
  test::ScalarDigest digest;
  for (const Fr& value : values) digest.add(value);
  return digest.hex();
}

void check_list(const json& expected, std::span<const Fr> values) {
  REQUIRE(values.size() == expected["count"].get<std::size_t>());
  for (std::size_t i = 0; i < expected["first"].size(); ++i)
    CHECK(values[i] == fr_from_hex(expected["first"][i].get<std::string>()));
  CHECK(values.back() == fr_from_hex(expected["last"].get<std::string>()));
  CHECK(digest_of(values) == expected["sha256"].get<std::string>());
}

void check_instance(const json& expected) {
  const unsigned arity = expected["arity"].get<unsigned>();
  const bool generator = expected["name"] == "GEN";
  const Poseidon poseidon(arity, generator ? Poseidon::Domain::generator : Poseidon::Domain::merkle_tree);
  REQUIRE(poseidon.width() == expected["width"].get<unsigned>());
  REQUIRE(poseidon.partial_rounds() == expected["partial_rounds"].get<unsigned>());
  CHECK(Poseidon::full_rounds == expected["full_rounds"].get<unsigned>());
  CHECK(poseidon.tag() == fr_from_hex(expected["domain_tag"].get<std::string>()));
  check_list(expected["round_constants"], Poseidon::round_constants(poseidon.width(), poseidon.partial_rounds()));
  check_list(expected["compressed_round_constants"], poseidon.compressed_constants());
  check_list(expected["mds"], poseidon.mds());
  check_list(expected["pre_sparse"], poseidon.pre_sparse());
  std::vector<Fr> sparse;
  for (const auto& matrix : poseidon.sparse()) {
    sparse.insert(sparse.end(), matrix.column.begin(), matrix.column.end());
    sparse.insert(sparse.end(), matrix.row.begin(), matrix.row.end());
  }
  CHECK(digest_of(sparse) == expected["sparse"]["sha256_of_w_hat_then_v_rest_each"].get<std::string>());
  for (const auto& hash : expected["hashes"]) {
    std::vector<Fr> inputs;
    for (const auto& input : hash["in"]) inputs.push_back(fr_from_hex(input.get<std::string>()));
    CHECK(poseidon.hash(inputs) == fr_from_hex(hash["out"].get<std::string>()));
  }
}
}  // namespace

TEST_CASE("Poseidon's constants and hashes are neptune's") {
  const auto file = test::find_vector("prims/poseidon.json");
  if (!file) return;
  const json vectors = test::read_json(*file);
  for (const auto& instance : vectors["instances"]) {
    INFO("instance " << instance["name"].get<std::string>());
    check_instance(instance);
  }
  const Poseidon generator(2, Poseidon::Domain::generator);
  CHECK(generator.hash(std::array{Fr::zero(), Fr::one()}) == fr_from_hex(vectors["gen_0_1"].get<std::string>()));
  CHECK(generator.hash(std::array{Fr::one(), Fr::zero()}) == fr_from_hex(vectors["gen_1_0"].get<std::string>()));
}

TEST_CASE("arities without an instance are refused") {
  CHECK_THROWS_AS(Poseidon(3), std::invalid_argument);
  const PoseidonSet instances{2};
  CHECK_THROWS_AS(instances[8], std::out_of_range);
}

TEST_CASE("hash_md of 1, 2 … n is the reference's") {
  const auto path = test::find_vector("prims/poseidon.json");
  if (!path) return;
  const Poseidon instance(36);
  for (const json& row : test::read_json(*path).at("hash_md")) {
    std::vector<Fr> values;
    for (std::uint64_t i = 1; i <= row.at("n").get<std::uint64_t>(); ++i) values.push_back(Fr::from_u64(i));
    CHECK(hash_md(instance, values) == fr_from_hex(row.at("out").get<std::string>()));
  }
  CHECK_THROWS_AS(hash_md(instance, std::vector<Fr>(1)), std::invalid_argument);
}
