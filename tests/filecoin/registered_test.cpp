#include <pinion/filecoin/identity.hpp>
#include <pinion/filecoin/parameters.hpp>
#include <set>

#include "derive.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("registered seal proofs: numbers, partitions, versions and file names are the reference's") {
  const auto registered = derive_section("registered");
  if (!registered) return;
  const Json& rows = registered->at("seal");
  REQUIRE(rows.size() == SealProof::count);
  for (std::uint64_t n = 0; n < rows.size(); ++n) {
    const Json& row = rows[n];
    const SealProof proof = seal_proof(row.at("proof").get<std::string>());
    INFO(proof.name());
    REQUIRE(proof.number() == n);
    REQUIRE(SealProof::from_number(n) == proof);
    REQUIRE(SealProof::from_name(proof.name()) == proof);
    const PorepSetup setup = proof.setup();
    REQUIRE(setup.partitions == row.at("partitions").get<unsigned>());
    REQUIRE(setup.porep_id == bytes32(row.at("porep_id")));
    REQUIRE(api_version_name(setup.api_version) == row.at("api_version").get<std::string>());
    const ParameterFiles files = parameter_files(ParameterFamily::Porep, proof.size());
    REQUIRE(files.params() == row.at("params_file").get<std::string>());
    REQUIRE(files.vk() == row.at("vk_file").get<std::string>());
  }
}

TEST_CASE("registered PoSt proofs name the reference's parameter files") {
  const auto registered = derive_section("registered");
  if (!registered) return;
  std::size_t checked = 0;
  for (const Json& row : registered->at("post")) {
    const auto name = row.at("proof").get<std::string>();
    const bool winning = name.find("Winning") != std::string::npos;
    for (const SectorSize size : sector_sizes) {
      if (name.find((winning ? "Winning" : "Window") + std::string(sector_name(size)) + "V") == std::string::npos)
        continue;
      const auto files = parameter_files(winning ? ParameterFamily::Winning : ParameterFamily::Window, size);
      REQUIRE(files.params() == row.at("params_file").get<std::string>());
      REQUIRE(files.vk() == row.at("vk_file").get<std::string>());
      ++checked;
    }
  }
  REQUIRE(checked == registered->at("post").size());
}

TEST_CASE("no two parameter files share a name or a published digest") {
  std::set<std::string> stems, digests;
  for (const auto family :
       {ParameterFamily::Porep, ParameterFamily::Update, ParameterFamily::Winning, ParameterFamily::Window})
    for (const SectorSize size : sector_sizes) {
      const ParameterFiles files = parameter_files(family, size);
      REQUIRE(stems.insert(files.stem).second);
      REQUIRE(digests.insert(files.params_digest).second);
      REQUIRE(digests.insert(files.vk_digest).second);
      REQUIRE(files.params_digest.size() == 32);
      REQUIRE(files.vk_digest.size() == 32);
    }
}

TEST_CASE("the update circuit's parameter file name (rust-fil-proofs parameters.json)") {
  REQUIRE(parameter_files(ParameterFamily::Update, SectorSize::k32GiB).stem ==
          "v28-empty-sector-update-merkletree-poseidon_hasher-8-8-0-"
          "3b7f44a9362e3985369454947bc94022e118211e49fd672d52bec1cbfd599d18");
}

TEST_CASE("what is not a registered seal proof is not one") {
  REQUIRE_FALSE(SealProof::from_number(20));
  REQUIRE_FALSE(SealProof::from_number(~0ULL));
  for (const char* name : {"", "StackedDrg32GiB", "StackedDrg32GiBV1_2", "stackedDrg32GiBV1", "StackedDrg16KiBV1"})
    REQUIRE_FALSE(SealProof::from_name(name));
}

TEST_CASE("tree levels: 8-ary base trees under their sub and top rows") {
  REQUIRE(tree_shape(SectorSize::k2KiB).base_levels(1ULL << 6) == 2);
  REQUIRE(tree_shape(SectorSize::k512MiB).base_levels(1ULL << 24) == 8);
  REQUIRE(tree_shape(SectorSize::k32GiB).base_levels(1ULL << 30) == 9);
  REQUIRE(tree_shape(SectorSize::k64GiB).base_levels(1ULL << 31) == 9);
}

TEST_CASE("replica ids are the reference's") {
  const auto rows = derive_section("replica_id");
  if (!rows) return;
  REQUIRE(!rows->empty());
  for (const Json& row : *rows)
    REQUIRE(replica_id(bytes32(row.at("prover_id")), number(row.at("sector_id")), bytes32(row.at("ticket")),
                       bytes32(row.at("comm_d")), bytes32(row.at("porep_id"))) == bytes32(row.at("replica_id")));
}

TEST_CASE("a prover id is the LEB128 of the miner id") {
  REQUIRE(to_hex(prover_id(1000)).substr(0, 6) == "e80700");
  REQUIRE(to_hex(prover_id(127)).substr(0, 4) == "7f00");
  REQUIRE(to_hex(prover_id(~0ULL)).substr(0, 22) == "ffffffffffffffffff0100");
}
