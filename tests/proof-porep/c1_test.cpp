#include <catch2/catch.hpp>
#include <cstring>

#include "case_checks.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

namespace {

void append(std::vector<pinion::bls::Fr>& out, const MerklePath& path) {
  out.insert(out.end(), path.siblings.begin(), path.siblings.end());
  for (const auto index : path.indices) out.push_back(pinion::bls::Fr::from_u64(index));
}
template <class Columns>
void append_columns(std::vector<pinion::bls::Fr>& out, const Columns& columns) {
  for (const auto& column : columns) {
    out.insert(out.end(), column.rows.begin(), column.rows.end());
    append(out, column.path);
  }
}

// Every value of a C1's vanilla proofs, for comparing two readings.
std::vector<pinion::bls::Fr> flatten(const C1& c1) {
  std::vector<pinion::bls::Fr> out;
  for (const auto& partition : c1.partitions) {
    for (const auto* value :
         {&partition.replica_id, &partition.comm_d, &partition.comm_r, &partition.comm_r_last, &partition.comm_c})
      out.push_back(*value);
    for (const auto& challenge : partition.challenges) {
      out.push_back(pinion::bls::Fr::from_u64(challenge.node));
      out.push_back(challenge.data_leaf);
      append(out, challenge.data_path);
      append(out, challenge.replica_path);
      append(out, challenge.column_path);
      append_columns(out, challenge.drg_parents);
      append_columns(out, challenge.expander_parents);
    }
  }
  return out;
}

C1 read_text(const std::string& text) {
  return read_c1({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::optional<std::string> case_text(const char* file) {
  const auto path = pinion::test::find_vector(std::string("cases/porep-2KiB-V1_1-seed11/") + file);
  if (!path) return std::nullopt;
  return pinion::test::read_text(*path);
}

}  // namespace

TEST_CASE("every small case reads, and its public inputs are the reference's") {
  for (const Case& c : small_cases()) check_case(c);
}

TEST_CASE("vanilla proofs in the tree shapes of 32GiB and 64GiB at toy size") {
  for (const Case& c : toy_cases()) {
    const auto meta = meta_of(c);
    const auto input = input_of(c);
    if (!meta || !input) return;
    INFO(c.folder);
    const PorepSetup setup = toy_setup(*meta);
    const SealStatement statement{bytes32_of(meta->at("replica_id")), bytes32_of(meta->at("comm_d")),
                                  bytes32_of(meta->at("comm_r")), bytes32_of(meta->at("seed"))};
    check_public_inputs(*meta, setup, statement);
    const auto partitions = read_vanilla_proofs(*input, setup);
    REQUIRE(partitions.size() == 1);
    REQUIRE(misfit(partitions[0], setup).empty());
    REQUIRE(to_hex(partitions[0].comm_c.to_bytes()) == meta->at("comm_c").get<std::string>());
    const auto challenges = porep_challenges(setup, statement, 0);
    for (std::size_t i = 0; i < challenges.size(); ++i) {
      const VanillaChallenge& proof = partitions[0].challenges[i];
      REQUIRE(proof.node == challenges[i]);
      REQUIRE(leaf_index(proof.data_path, binary_level_arities(setup.nodes)) == challenges[i]);
      REQUIRE(leaf_index(proof.replica_path, level_arities(setup.tree, setup.nodes)) == challenges[i]);
    }
  }
}

TEST_CASE("the wrapped form gives the same C1, and the sector number it states") {
  const auto bare = case_text("c1.json");
  const auto wrapped = case_text("c1.wrapped.json");
  if (!bare || !wrapped) return;
  const C1 a = read_text(*bare);
  const C1 b = read_text(*wrapped);
  REQUIRE(flatten(a) == flatten(b));
  REQUIRE_FALSE(a.sector_number);
  REQUIRE(b.sector_number == 24446U);
}

TEST_CASE("fields in any order, white space, and fields of later versions") {
  const auto bare = case_text("c1.json");
  if (!bare) return;
  const auto expected = flatten(read_text(*bare));
  auto document = nlohmann::json::parse(*bare);  // sorts keys: registered_proof no longer comes first
  document["aaa_later_version"] = {{"vanilla_proofs", nullptr}, {"list", {1, -2.5e3, "x", true, nlohmann::json()}}};
  document["vanilla_proofs"]["StackedDrg2KiBV1"][0][0]["comment"] = "hello \"C1\" \u00e9";
  REQUIRE(flatten(read_text(document.dump())) == expected);
  REQUIRE(flatten(read_text(document.dump(3) + "\n \t")) == expected);
}

TEST_CASE("what the circuit ignores may have any length, as serde allows") {
  const auto bare = case_text("c1.json");
  if (!bare) return;
  const auto expected = flatten(read_text(*bare));
  auto document = nlohmann::ordered_json::parse(*bare);
  auto& proof = document["vanilla_proofs"]["StackedDrg2KiBV1"][0][1];
  proof["encoding_proof"]["parents"] = nlohmann::json::array();
  proof["labeling_proofs"][1]["parents"].erase(7);
  proof["replica_column_proofs"]["c_x"]["column"]["rows"] = nlohmann::json::array();
  REQUIRE(flatten(read_text(document.dump())) == expected);
}

TEST_CASE("an opening of another node than the statement asks for is refused with its path") {
  const auto bare = case_text("c1.json");
  if (!bare) return;
  const auto refused = [](const nlohmann::ordered_json& document) -> std::string {
    const C1 c1 = read_text(document.dump());
    const PorepSetup setup = c1.proof.setup();
    try {
      check_openings(c1, setup, StackedGraph(setup), 0);
    } catch (const pinion::Error& error) {
      REQUIRE(error.code() == PINION_INVALID_INPUT);
      return error.what();
    }
    return "accepted";
  };
  auto document = nlohmann::ordered_json::parse(*bare);
  REQUIRE(refused(document) == "accepted");
  auto& challenge = document["vanilla_proofs"]["StackedDrg2KiBV1"][0][1];
  auto& level = challenge["replica_column_proofs"]["drg_parents"][2]["inclusion_proof"]["data"]["Single"]["path"]
                         ["path"][1]["index"];
  level = level.get<int>() ^ 1;
  REQUIRE_THAT(refused(document),
               Catch::StartsWith("vanilla_proofs.StackedDrg2KiBV1[0][1].replica_column_proofs.drg_parents[2]: opens"));
  document["seed"][0] = 1;
  REQUIRE_THAT(refused(document), Catch::StartsWith("vanilla_proofs.StackedDrg2KiBV1[0][0].labeling_proofs[0].node: "));
}
