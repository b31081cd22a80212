#include "fake_checks.hpp"

using namespace pinion;
using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

TEST_CASE("made-up updates of 2KiB are accepted, whatever the seed") {
  for (const std::uint64_t seed : {std::uint64_t{1}, UINT64_MAX}) check_fake_update(SectorSize::k2KiB, seed, {0});
}

TEST_CASE("made-up updates over the tree shapes of large sectors are accepted") {
  const UpdateHashes hashes;
  pinion::test::ThreadExecutor executor;
  for (const UpdateSetup& setup : {UpdateSetup::of(512, {8, 8, 0}), UpdateSetup::of(1024, {8, 8, 2})}) {
    const auto shape = groth16::build(record_update(setup, hashes, executor), executor);
    const FakeUpdate update(setup, 3, hashes, executor);
    for (unsigned k = 0; k < setup.partitions; ++k) {
      const UpdatePartition read = read_update_partition(update.partition(k), setup, "made up");
      const auto inputs = UpdateDerivation(setup).public_inputs(update.statement(), k);
      check_satisfied(*shape, {inputs.begin(), inputs.end()}, [&](const auto& buffers, Executor& threads) {
        write_update_witness(setup, hashes, update.statement(), k, read, circuit::end_of(*shape), buffers, threads);
      });
    }
  }
}

TEST_CASE("the same seed makes the same update, another one another") {
  const UpdateHashes hashes;
  pinion::test::ThreadExecutor executor;
  const pinion::test::TemporaryDirectory a, b, c;
  write_fake_update(SectorSize::k2KiB, 1, hashes, a.path(), executor);
  write_fake_update(SectorSize::k2KiB, 1, hashes, b.path(), executor);
  write_fake_update(SectorSize::k2KiB, 2, hashes, c.path(), executor);
  CHECK(same_files(a.path(), b.path()));
  CHECK_FALSE(same_files(a.path(), c.path()));
}
