// Sectors for a proof of spacetime that were never sealed: one periodic tree for all, and in each sector leaves of its
// own where it is challenged.
#pragma once

#include <pinion/fake/trees.hpp>
#include <pinion/post/derivation.hpp>
#include <vector>

namespace pinion::filecoin {

struct FakePostSector {
  std::uint64_t id;
  bls::Fr comm_r;
  std::vector<std::uint8_t> bincode;
};

class FakePost {
 public:
  // `hashes` are post_hashes() and outlive it.
  FakePost(const PostSetup& setup, std::uint64_t seed, const circuit::PoseidonSet& hashes);

  Bytes32 randomness() const { return filler_.bytes("randomness"); }
  // The sector at `position` among all of the proof; its number is position + 1. [worker]
  FakePostSector sector(std::uint64_t position, unsigned openings, Executor& executor) const;

 private:
  const PostSetup setup_;
  const Filler filler_;
  const circuit::PoseidonSet& hashes_;
  const NodeHash hash_;
  const PeriodicTree tree_;
};

// The input of a proof, as the command line reads it, into the empty folder `dir`: sector-I.bin and meta.json.
// [worker]
void write_fake_winning(SectorSize size, std::uint64_t seed, const circuit::PoseidonSet& hashes, const std::string& dir,
                        Executor& executor);
// `sectors` of them, at least one.
void write_fake_window(SectorSize size, PostRule rule, std::uint64_t sectors, std::uint64_t seed,
                       const circuit::PoseidonSet& hashes, const std::string& dir, Executor& executor);

}  // namespace pinion::filecoin
