// The vanilla proof of a sector in a proof of spacetime: exactly what the circuit reads, and its reader.
// Source: rust-fil-proofs filecoin-proofs src/types/mod.rs (FallbackPoStSectorProof).
#pragma once

#include <pinion/filecoin/bincode.hpp>
#include <pinion/post/setup.hpp>
#include <string>
#include <vector>

namespace pinion::filecoin {

struct PostOpening {
  bls::Fr leaf;
  MerklePath path;
};

struct PostSector {
  std::uint64_t sector_id = 0;
  bls::Fr comm_r, comm_c, comm_r_last;
  std::vector<PostOpening> openings;

  // Zeros in the right places: what a circuit is recorded with. [any]
  static PostSector blank(const PostSetup& setup);
};

// Reads one sector's bincode with `openings` openings (WinningPoSt: winning_openings, else setup.challenges). `what`
// names the bytes in errors. Throws pinion::Error INVALID_INPUT with the offset and field at fault. [worker]
PostSector read_post_sector(ByteView bytes, const PostSetup& setup, unsigned openings, std::string what);

// One partition as the circuit takes it: setup.sectors sectors, short partitions filled by repeating the last one.
// `sectors`: at least one, at most setup.sectors. [any]
std::vector<PostSector> window_partition(std::vector<PostSector> sectors, const PostSetup& setup);
// WinningPoSt: the one sector once for each of its openings. [any]
std::vector<PostSector> winning_partition(const PostSector& sector);

}  // namespace pinion::filecoin
