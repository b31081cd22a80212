#include <catch2/catch.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/test_circuit/circuit_checks.hpp>

using namespace pinion;
using filecoin::SealProof;
using filecoin::SectorSize;

TEST_CASE("the circuits of the small sectors are the reference's, row by row") {
  const auto size = GENERATE(SectorSize::k2KiB, SectorSize::k8MiB, SectorSize::k512MiB);
  const std::string name(filecoin::sector_name(size));
  INFO(name);
  const auto setup = SealProof(size, SealProof::Variant::V1_1).setup();
  SerialExecutor executor;
  test::check_circuit("porep-" + name, [&](circuit::RowObserver* observer) {
    return record_porep(setup, filecoin::porep_hashes(), executor, observer);
  });
}
