#include "fake_checks.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;
using Variant = SealProof::Variant;

TEST_CASE("made-up sectors of 2KiB are accepted: every variant, whatever the seed") {
  for (const Variant variant : {Variant::V1, Variant::V1_1, Variant::Synthetic})
    check_fake_seal({SectorSize::k2KiB, variant}, 1, {0});
  check_fake_seal({SectorSize::k2KiB, Variant::NonInteractive}, 1, {0, 12});
  check_fake_seal({SectorSize::k2KiB, Variant::V1_1}, UINT64_MAX, {0});
}

TEST_CASE("made-up sectors of 8MiB are accepted") {
  check_fake_seal({SectorSize::k8MiB, Variant::V1_1}, 1, {0});
}

TEST_CASE("the same seed makes the same C1, another one another") {
  const SealProof proof{SectorSize::k2KiB, Variant::V1_1};
  const auto hashes = porep_hashes();
  const std::string c1 = fake_c1(proof, 1, hashes);
  CHECK(c1 == fake_c1(proof, 1, hashes));
  CHECK(c1 != fake_c1(proof, 2, hashes));
}

TEST_CASE("what cannot be made up is known beforehand") {
  for (const SectorSize size : sector_sizes)
    for (const Variant variant : {Variant::V1, Variant::V1_1, Variant::Synthetic, Variant::NonInteractive}) {
      const bool every_label = variant == Variant::Synthetic || variant == Variant::NonInteractive;
      const std::string obstacle = FakeSeal::obstacle({size, variant});
      CHECK(obstacle.empty() == !(every_label && size > SectorSize::k8MiB));
      if (!obstacle.empty()) CHECK_THAT(obstacle, Catch::Contains("depend on every label"));
    }
}
