// Made-up inputs of proofs of spacetime, of registered sizes.
#pragma once

#include <catch2/catch.hpp>
#include <pinion/post/fake.hpp>
#include <pinion/post/kinds.hpp>
#include <pinion/post/statement.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test_fake/fake_checks.hpp>

namespace pinion::filecoin::test {

inline void check_fake_winning(SectorSize size, std::uint64_t seed) {
  const auto hashes = std::make_shared<const circuit::PoseidonSet>(post_hashes());
  const KindTable kinds(post_kinds(hashes));
  const pinion::test::TemporaryDirectory folder;
  pinion::test::ThreadExecutor executor;
  write_fake_winning(size, seed, *hashes, folder.path(), executor);
  const FolderRequest files(folder.path());
  const PostStatement statement(read_winning_request(files.request("winning"), *hashes), hashes);
  check_accepted(kinds.of("winning", size), statement, {0});
}

// `partitions` are looked at; sectors: as many as the proof has.
inline void check_fake_window(SectorSize size, PostRule rule, std::uint64_t sectors,
                              const std::vector<std::uint32_t>& partitions) {
  const auto hashes = std::make_shared<const circuit::PoseidonSet>(post_hashes());
  const KindTable kinds(post_kinds(hashes));
  const pinion::test::TemporaryDirectory folder;
  pinion::test::ThreadExecutor executor;
  write_fake_window(size, rule, sectors, 1, *hashes, folder.path(), executor);
  const FolderRequest files(folder.path());
  const PostStatement statement(read_window_request(files.request("window"), *hashes), hashes);
  check_accepted(kinds.of("window", size), statement, partitions);
}

}  // namespace pinion::filecoin::test
