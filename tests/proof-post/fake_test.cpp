#include "fake_checks.hpp"

using namespace pinion;
using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("made-up WinningPoSts of every size are accepted") {
  for (const SectorSize size : sector_sizes) check_fake_winning(size, 1);
  check_fake_winning(SectorSize::k2KiB, 0);
  check_fake_winning(SectorSize::k2KiB, UINT64_MAX);
}

TEST_CASE("made-up WindowPoSts are accepted: whole and short partitions, under both rules") {
  for (const PostRule rule : {PostRule::by_position, PostRule::by_sector}) {
    check_fake_window(SectorSize::k2KiB, rule, 5, {0, 1, 2});
    check_fake_window(SectorSize::k8MiB, rule, 1, {0});
    check_fake_window(SectorSize::k512MiB, rule, 4, {0, 1});
  }
}

TEST_CASE("made-up sectors over the tree shapes of large ones are accepted") {
  const auto hashes = post_hashes();
  pinion::test::ThreadExecutor executor;
  for (const auto& [nodes, tree] : {std::pair{512, TreeShape{8, 8, 0}}, std::pair{1024, TreeShape{8, 8, 2}}}) {
    const auto setup = PostSetup::window(static_cast<std::uint64_t>(nodes), tree, 2, PostRule::by_sector);
    const auto shape = groth16::build(record_post(setup, hashes, executor), executor);
    const FakePost post(setup, 9, hashes);
    std::vector<PostSector> sectors;
    std::vector<PostStatementSector> stated;
    for (std::uint64_t i = 0; i < 2; ++i) {
      const FakePostSector made = post.sector(i, setup.challenges, executor);
      sectors.push_back(read_post_sector(made.bincode, setup, setup.challenges, "made up"));
      stated.push_back({made.id, made.comm_r});
    }
    check_satisfied(*shape, window_public_inputs(setup, post.randomness(), stated, 0),
                    [&](const auto& buffers, Executor& threads) {
                      write_post_witness(setup, hashes, sectors, circuit::end_of(*shape), buffers, threads);
                    });
  }
}

TEST_CASE("the input of another proof is told by its name") {
  const auto hashes = post_hashes();
  pinion::test::ThreadExecutor executor;
  const pinion::test::TemporaryDirectory folder;
  write_fake_winning(SectorSize::k2KiB, 1, hashes, folder.path(), executor);
  const FolderRequest files(folder.path());
  CHECK_THROWS_WITH(read_window_request(files.request("window"), hashes),
                    "meta.json: kind \"winning\": this folder is the input of another proof than WindowPoSt");
}

TEST_CASE("the same seed makes the same sectors, another one others") {
  const auto hashes = post_hashes();
  pinion::test::ThreadExecutor executor;
  const pinion::test::TemporaryDirectory a, b, c;
  write_fake_window(SectorSize::k2KiB, PostRule::by_sector, 3, 1, hashes, a.path(), executor);
  write_fake_window(SectorSize::k2KiB, PostRule::by_sector, 3, 1, hashes, b.path(), executor);
  write_fake_window(SectorSize::k2KiB, PostRule::by_sector, 3, 2, hashes, c.path(), executor);
  CHECK(same_files(a.path(), b.path()));
  CHECK_FALSE(same_files(a.path(), c.path()));
}
