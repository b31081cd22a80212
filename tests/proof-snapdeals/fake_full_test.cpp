#include "fake_checks.hpp"

using namespace pinion::filecoin;

TEST_CASE("made-up updates of all larger sizes are accepted") {
  test::check_fake_update(SectorSize::k8MiB, 1, {0, 3});
  for (const SectorSize size : {SectorSize::k512MiB, SectorSize::k32GiB, SectorSize::k64GiB})
    test::check_fake_update(size, 1, {0, 15});
}
