// What the plugin states of its circuits without making them, against the circuits.
#include <catch2/catch.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/porep/kinds.hpp>

using namespace pinion::filecoin;

TEST_CASE("counts, digests and key sizes of the small circuits are those of the circuits themselves") {
  pinion::SerialExecutor executor;
  const auto hashes = porep_hashes();
  for (const SectorSize size : {SectorSize::k2KiB, SectorSize::k8MiB, SectorSize::k512MiB}) {
    INFO(sector_name(size));
    const CircuitFacts& facts = porep_facts(size);
    const PorepSetup setup = SealProof(size, SealProof::Variant::V1).setup();
    const auto shape = pinion::groth16::build(record_porep(setup, hashes, executor), executor);
    REQUIRE(shape->counts() == facts.counts);
    REQUIRE(shape->num_bits() == facts.bits);
    REQUIRE(shape->bytes().size() == facts.shape_bytes());
    REQUIRE(to_hex(shape->digest()) == facts.shape_digest);
    REQUIRE(pinion::groth16::KeyCounts::of(*shape) == facts.key_counts());
    REQUIRE(setup.public_inputs() + 1 == facts.counts.inputs);
  }
}

TEST_CASE("variants of a size share its circuit") {
  for (const SectorSize size : sector_sizes)
    for (const auto variant : {SealProof::Variant::V1, SealProof::Variant::V1_1, SealProof::Variant::Synthetic,
                               SealProof::Variant::NonInteractive}) {
      const PorepSetup setup = SealProof(size, variant).setup();
      REQUIRE(setup.public_inputs() + 1 == porep_facts(size).counts.inputs);
      REQUIRE(setup.tree == tree_shape(size));
    }
}
