#include <pinion/filecoin/porep_challenges.hpp>
#include <pinion/filecoin/porep_public_inputs.hpp>

#include "derive.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

namespace {

void check_rule(const Json& rows, PorepSetup setup, ChallengeRule rule, const SealStatement& statement) {
  setup.rule = rule;
  REQUIRE(!rows.empty());
  for (const Json& row : rows)
    REQUIRE(porep_challenges(setup, statement, row.at("k").get<unsigned>()) == numbers(row.at("challenges")));
}

}  // namespace

TEST_CASE("PoRep challenges of every size and rule are the reference's") {
  const auto section = derive_section("porep_challenges");
  if (!section) return;
  for (const Json& row : section->at("by_size")) {
    INFO(row.at("sector"));
    const SectorSize size = sector_size(row.at("sector").get<std::string>());
    const PorepSetup setup = SealProof(size, SealProof::Variant::V1_1).setup();
    const SealStatement statement{
        bytes32(row.at("replica_id")), {}, bytes32(row.at("comm_r")), bytes32(row.at("seed"))};
    check_rule(row.at("interactive"), setup, ChallengeRule::Interactive, statement);
    check_rule(row.at("non_interactive"), setup, ChallengeRule::NonInteractive, statement);
    check_rule(row.at("synthetic"), setup, ChallengeRule::Synthetic, statement);
  }
}

TEST_CASE("the whole synthetic set and the selection from it are the reference's") {
  const auto section = derive_section("porep_challenges");
  if (!section) return;
  for (const Json& row : section->at("by_size")) {
    INFO(row.at("sector"));
    const Json& expected = row.at("synthetic_set");
    const SyntheticSet set(number(row.at("nodes")), number(expected.at("count")), bytes32(row.at("replica_id")),
                           bytes32(row.at("comm_r")));
    std::vector<std::uint64_t> all(set.size());
    for (std::uint64_t i = 0; i < set.size(); ++i) all[i] = set.at(i);
    REQUIRE(sha256_of<8>(all) == expected.at("sha256_u64").get<std::string>());
    for (const Json& partition : row.at("synthetic_indexes")) {
      const auto indexes = numbers(partition.at("indexes"));
      for (std::uint64_t i = 0; i < indexes.size(); ++i)
        REQUIRE(set.selected(bytes32(row.at("replica_id")), bytes32(row.at("seed")),
                             number(partition.at("k")) * indexes.size() + i) == indexes[i]);
    }
  }
}

TEST_CASE("synthetic challenges of storage-proofs-porep's own tests") {
  Bytes32 replica_id{};
  Bytes32 comm_r{};
  replica_id[0] = 55;
  comm_r[0] = 101;
  const std::vector<std::uint64_t> first{178, 297, 869, 211, 875, 477, 94,  781, 124, 332, 856,
                                         801, 176, 692, 429, 691, 290, 204, 986, 210, 973};
  const SyntheticSet set(1024, 21, replica_id, comm_r);
  for (std::uint64_t i = 0; i < first.size(); ++i) REQUIRE(set.at(i) == first[i]);
  Bytes32 seed{};
  seed.fill(1);
  const std::vector<std::uint64_t> selected{176, 781, 801, 986, 290, 211, 692, 856, 986, 332};
  for (std::uint64_t i = 0; i < selected.size(); ++i) REQUIRE(set.at(set.selected(replica_id, seed, i)) == selected[i]);
}

TEST_CASE("whole public-input vectors of every registered proof are the reference's") {
  const auto rows = derive_section("porep_public_inputs");
  if (!rows) return;
  REQUIRE(rows->size() == SealProof::count);
  for (const Json& row : *rows) {
    const PorepSetup setup = seal_proof(row.at("proof").get<std::string>()).setup();
    INFO(row.at("proof"));
    REQUIRE(setup.layers == row.at("layers").get<unsigned>());
    REQUIRE(setup.challenges_per_partition == row.at("challenges_per_partition").get<unsigned>());
    const StackedGraph graph(setup);
    const SealStatement statement{bytes32(row.at("replica_id")), bytes32(row.at("comm_d")), bytes32(row.at("comm_r")),
                                  bytes32(row.at("seed"))};
    for (const Json& partition : row.at("partitions")) {
      const auto inputs = porep_public_inputs(setup, graph, statement, partition.at("k").get<unsigned>());
      REQUIRE(inputs.size() == setup.public_inputs());
      REQUIRE(inputs.size() == partition.at("count").get<std::size_t>());
      std::vector<std::uint8_t> bytes;
      for (const auto& input : inputs) {
        const Bytes32 one = input.to_bytes();
        bytes.insert(bytes.end(), one.begin(), one.end());
      }
      REQUIRE(to_hex(sha256({bytes})) == partition.at("sha256").get<std::string>());
    }
  }
}

TEST_CASE("public inputs refuse a commitment that is no scalar, and name it") {
  const PorepSetup setup = SealProof(SectorSize::k2KiB, SealProof::Variant::V1_1).setup();
  SealStatement statement;
  statement.comm_r.fill(0xff);
  REQUIRE_THROWS_WITH(porep_public_inputs(setup, StackedGraph(setup), statement, 0),
                      "comm_r is not a canonical scalar: " + std::string(64, 'f'));
}
