// As circuit_facts_test.cpp, for the sizes that take gigabytes.
#include <catch2/catch.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/porep/kinds.hpp>

using namespace pinion::filecoin;

TEST_CASE("counts, digests and key sizes of the large circuits are those of the circuits themselves") {
  pinion::SerialExecutor executor;
  const auto hashes = porep_hashes();
  const SectorSize size = GENERATE(SectorSize::k32GiB, SectorSize::k64GiB);
  INFO(sector_name(size));
  const CircuitFacts& facts = porep_facts(size);
  const PorepSetup setup = SealProof(size, SealProof::Variant::V1).setup();
  const auto shape = pinion::groth16::build(record_porep(setup, hashes, executor), executor);
  REQUIRE(shape->counts() == facts.counts);
  REQUIRE(shape->num_bits() == facts.bits);
  REQUIRE(to_hex(shape->digest()) == facts.shape_digest);
  REQUIRE(pinion::groth16::KeyCounts::of(*shape) == facts.key_counts());
}
