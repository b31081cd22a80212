// Made-up PoRep inputs of registered proofs.
#pragma once

#include <catch2/catch.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/fake/fake.hpp>
#include <pinion/porep/kinds.hpp>
#include <pinion/porep/porep_request.hpp>
#include <pinion/porep/porep_statement.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test_fake/fake_checks.hpp>

namespace pinion::filecoin::test {

inline std::string fake_c1(const SealProof& proof, std::uint64_t seed, const circuit::PoseidonSet& hashes) {
  pinion::test::ThreadExecutor executor;
  const FakeSeal seal(proof, seed, {1000, 7}, hashes, executor);
  std::string c1;
  seal.write_c1([&](std::string_view text) { c1.append(text); }, executor);
  return c1;
}

// Read as the request of its miner and sector, and accepted by the circuit.
inline void check_fake_seal(const SealProof& proof, std::uint64_t seed, const std::vector<std::uint32_t>& partitions) {
  INFO(proof.name());
  const auto hashes = std::make_shared<const circuit::PoseidonSet>(porep_hashes());
  const KindTable kinds(porep_kinds(hashes));
  const std::string c1 = fake_c1(proof, seed, *hashes);
  const pinion_part part{"c1.json", {as_bytes(c1).data(), c1.size()}};
  const std::array<pinion_field, 2> fields{pinion_field{"miner_id", 1000, {}}, pinion_field{"sector_number", 7, {}}};
  pinion_request request{};
  request.size = sizeof request;
  request.flags = proof.variant() == SealProof::Variant::NonInteractive ? PINION_REQUEST_PARTS : 0;
  request.family = "porep";
  request.params_dir = "";
  request.parts = &part;
  request.part_count = 1;
  request.fields = fields.data();
  request.field_count = static_cast<std::uint32_t>(fields.size());
  const PorepStatement statement(read_request(request, *hashes), hashes);
  check_accepted(kinds.of("porep", proof.size()), statement, partitions);
}

}  // namespace pinion::filecoin::test
