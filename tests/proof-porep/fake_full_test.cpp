#include <chrono>

#include "fake_checks.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;
using Variant = SealProof::Variant;

TEST_CASE("made-up sectors of large sizes are accepted, every label of 8MiB included") {
  check_fake_seal({SectorSize::k8MiB, Variant::Synthetic}, 1, {0});
  check_fake_seal({SectorSize::k8MiB, Variant::NonInteractive}, 1, {0, 12});
  check_fake_seal({SectorSize::k512MiB, Variant::V1_1}, 1, {0});
  check_fake_seal({SectorSize::k32GiB, Variant::V1_1}, 1, {0, 9});
  check_fake_seal({SectorSize::k32GiB, Variant::V1}, 1, {4});
  check_fake_seal({SectorSize::k64GiB, Variant::V1_1}, 1, {0, 9});
}

TEST_CASE("a 32GiB sector is made up in well under 20 seconds") {
  const auto start = std::chrono::steady_clock::now();
  const std::string c1 = fake_c1({SectorSize::k32GiB, Variant::V1_1}, 1, porep_hashes());
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  WARN(c1.size() / 1000000 << " MB in " << taken.count() << " s");
  CHECK(taken.count() < 20);
}
