#include "circuit_checks.hpp"

using namespace pinion;
using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("the circuits of spacetime are the reference's, row by row") {
  for (const SectorSize size : sector_sizes)
    check_post_rows("winning-" + std::string(sector_name(size)), PostSetup::winning(size));
  for (const SectorSize size : {SectorSize::k2KiB, SectorSize::k8MiB, SectorSize::k512MiB})
    check_post_rows("window-" + std::string(sector_name(size)), PostSetup::window(size, PostRule::by_sector));
  for (const SectorSize size : {SectorSize::k32GiB, SectorSize::k64GiB})
    check_post_rows("window-1-" + std::string(sector_name(size)),
                    PostSetup::window(sector_nodes(size), tree_shape(size), 1, PostRule::by_sector));
}

TEST_CASE("witnesses of WinningPoSt are the reference's, value by value") {
  check_winning("cases/post-Winning2KiBV1-seed3", PostSetup::winning(SectorSize::k2KiB));
  check_winning("fake/winning-16KiB-seed1", PostSetup::winning(512, {8, 8, 0}));
  check_winning("fake/winning-32KiB-seed1", PostSetup::winning(1024, {8, 8, 2}));
  check_winning("fake/winning-32GiB-seed1", PostSetup::winning(SectorSize::k32GiB));
  check_winning("fake/winning-64GiB-seed1", PostSetup::winning(SectorSize::k64GiB));
}

TEST_CASE("witnesses of WindowPoSt are the reference's, short partitions and later ones too") {
  check_window("cases/post-Window2KiBV1-seed3", PostSetup::window(SectorSize::k2KiB, PostRule::by_position));
  check_window("cases/post-Window2KiBV1_2-seed3", PostSetup::window(SectorSize::k2KiB, PostRule::by_sector));
  check_window("fake/window-16KiB-V1_2-seed1", PostSetup::window(512, {8, 8, 0}, 2, PostRule::by_sector));
  check_window("fake/window-32KiB-V1_2-seed1", PostSetup::window(1024, {8, 8, 2}, 2, PostRule::by_sector));
}
