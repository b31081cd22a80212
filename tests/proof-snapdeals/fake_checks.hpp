// Made-up SnapDeals inputs of registered sizes.
#pragma once

#include <catch2/catch.hpp>
#include <pinion/snap/fake.hpp>
#include <pinion/snap/kinds.hpp>
#include <pinion/snap/statement.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test_fake/fake_checks.hpp>

namespace pinion::filecoin::test {

inline void check_fake_update(SectorSize size, std::uint64_t seed, const std::vector<std::uint32_t>& partitions) {
  const auto hashes = std::make_shared<const UpdateHashes>();
  const KindTable kinds(snap_kinds(hashes));
  const pinion::test::TemporaryDirectory folder;
  pinion::test::ThreadExecutor executor;
  write_fake_update(size, seed, *hashes, folder.path(), executor);
  const FolderRequest files(folder.path());
  const SnapStatement statement(read_snap_request(files.request("snap"), *hashes), hashes);
  check_accepted(kinds.of("snap", size), statement, partitions);
}

}  // namespace pinion::filecoin::test
