#include "circuit_checks.hpp"

using namespace pinion;
using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("the SnapDeals circuit and its witnesses at 2KiB are the reference's") {
  check_update_witnesses("cases/snap-2KiB-seed11", UpdateSetup::of(SectorSize::k2KiB),
                         *check_update_rows(SectorSize::k2KiB));
}

TEST_CASE("SnapDeals witnesses over the tree shapes of large sectors are the reference's") {
  for (const auto& [folder, setup] : {std::pair{"fake/snap-16KiB-seed1", UpdateSetup::of(512, {8, 8, 0})},
                                      std::pair{"fake/snap-32KiB-seed1", UpdateSetup::of(1024, {8, 8, 2})}}) {
    SerialExecutor executor;
    const auto shape = groth16::build(record_update(setup, UpdateHashes{}, executor), executor);
    check_update_witnesses(folder, setup, *shape);
  }
}

TEST_CASE("the SnapDeals circuit and its witnesses at 8MiB are the reference's") {
  check_update_witnesses("cases/snap-8MiB-seed21", UpdateSetup::of(SectorSize::k8MiB),
                         *check_update_rows(SectorSize::k8MiB));
}
