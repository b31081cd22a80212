// What must hold of every case, small or full size: it reads, its identities and public inputs are the reference's, and
// its proofs open the nodes its statement asks for.
#pragma once

#include <catch2/catch.hpp>
#include <pinion/filecoin/identity.hpp>
#include <pinion/plugin/error.hpp>
#include <pinion/porep/c1.hpp>
#include <pinion/porep/openings.hpp>

#include "cases.hpp"

namespace pinion::filecoin::test {

inline void check_public_inputs(const nlohmann::json& meta, const PorepSetup& setup, const SealStatement& statement) {
  const StackedGraph graph(setup);
  const auto& expected = meta.at("public_inputs");
  REQUIRE(expected.size() == setup.partitions);
  for (unsigned k = 0; k < setup.partitions; ++k) {
    const auto inputs = porep_public_inputs(setup, graph, statement, k);
    REQUIRE(inputs.size() == expected[k].size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      INFO("partition " << k << ", input " << i);
      REQUIRE(to_hex(inputs[i].to_bytes()) == expected[k][i].get<std::string>());
    }
  }
}

inline void check_case(const Case& c) {
  const auto meta = meta_of(c);
  const auto input = input_of(c);
  if (!meta || !input) return;
  INFO(c.folder);
  const C1 c1 = read_c1(*input);
  const PorepSetup setup = c1.proof.setup();
  REQUIRE(c1.proof.name() == meta->at("registered_proof").get<std::string>());
  REQUIRE(c1.comm_r == bytes32_of(meta->at("comm_r")));
  REQUIRE(c1.comm_d == bytes32_of(meta->at("comm_d")));
  REQUIRE(c1.seed == bytes32_of(meta->at("seed")));
  REQUIRE(c1.ticket == bytes32_of(meta->at("ticket")));
  const auto miner = (meta->contains("miner") ? meta->at("miner") : meta->at("miner_id")).get<std::uint64_t>();
  REQUIRE(replica_id(prover_id(miner), meta->at("sector_id").get<std::uint64_t>(), c1.ticket, c1.comm_d,
                     setup.porep_id) == c1.replica_id);
  check_public_inputs(*meta, setup, statement_of(c1));

  const StackedGraph graph(setup);
  REQUIRE(c1.partitions.size() == setup.partitions);
  for (unsigned k = 0; k < setup.partitions; ++k) {
    REQUIRE(misfit(c1.partitions[k], setup).empty());
    REQUIRE_NOTHROW(check_openings(c1, setup, graph, k));
    if (meta->contains("comm_c")) {
      REQUIRE(to_hex(c1.partitions[k].comm_c.to_bytes()) == meta->at("comm_c").get<std::string>());
      REQUIRE(to_hex(c1.partitions[k].comm_r_last.to_bytes()) == meta->at("comm_r_last").get<std::string>());
    }
  }
}

}  // namespace pinion::filecoin::test
