#include "circuit_checks.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("the SnapDeals circuits of large sectors and their witnesses are the reference's") {
  const SectorSize size = GENERATE(SectorSize::k512MiB, SectorSize::k32GiB, SectorSize::k64GiB);
  const std::string name(sector_name(size));
  INFO(name);
  check_update_witnesses("fake/snap-" + name + "-seed1", UpdateSetup::of(size), *check_update_rows(size));
}
