#include <catch2/catch.hpp>
#include <pinion/test_porep/circuit_checks.hpp>

using namespace pinion;
using filecoin::SealProof;
using filecoin::SectorSize;

TEST_CASE("the circuits of the small sectors are the reference's, row by row") {
  const auto size = GENERATE(SectorSize::k2KiB, SectorSize::k8MiB, SectorSize::k512MiB);
  const std::string name(filecoin::sector_name(size));
  INFO(name);
  test::check_circuit(name, SealProof(size, SealProof::Variant::V1_1).setup());
}
