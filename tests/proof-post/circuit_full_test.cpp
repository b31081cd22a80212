// WindowPoSt at its production sizes: 125 million rows, 2349 sectors. Under the eyes of the observer every sector is
// recorded; without it one is, and repeated; check_circuit compares both.
#include "circuit_checks.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("the circuits of WindowPoSt over large sectors are the reference's, row by row") {
  const SectorSize size = GENERATE(SectorSize::k32GiB, SectorSize::k64GiB);
  check_post_rows("window-" + std::string(sector_name(size)), PostSetup::window(size, PostRule::by_sector));
}

TEST_CASE("the witness of a whole WindowPoSt partition of 32GiB sectors is the reference's") {
  check_window("fake/window-32GiB-V1_2-seed1", PostSetup::window(SectorSize::k32GiB, PostRule::by_sector));
}
