#include "fake_checks.hpp"

using namespace pinion::filecoin;

TEST_CASE("a made-up WindowPoSt of a whole partition of 32GiB sectors is accepted") {
  test::check_fake_window(SectorSize::k32GiB, PostRule::by_sector, 2349, {0});
}

TEST_CASE("a made-up WindowPoSt of 64GiB sectors is accepted, one sector filling the partition") {
  test::check_fake_window(SectorSize::k64GiB, PostRule::by_sector, 1, {0});
}
