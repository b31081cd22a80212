// What a verifier of a proof of spacetime derives: challenged leaves and public inputs.
// Source: rust-fil-proofs storage-proofs-post src/fallback/vanilla.rs, filecoin-proofs src/api/winning_post.rs.
#pragma once

#include <cstdint>
#include <pinion/filecoin/digest.hpp>
#include <pinion/post/setup.hpp>
#include <span>
#include <vector>

namespace pinion::filecoin {

struct PostStatementSector {
  std::uint64_t sector_id;
  bls::Fr comm_r;
};

// The leaf of a sector that `challenge_index` picks, below nodes. [any]
std::uint64_t post_leaf(const Bytes32& randomness, std::uint64_t sector_id, std::uint64_t challenge_index,
                        std::uint64_t nodes);

// The challenge index of the n-th leaf of the sector at `position` among all sectors of the proof. [any]
std::uint64_t post_challenge_index(const PostSetup& setup, std::uint64_t position, unsigned n);

// The sectors, of a set of `set_size` > 0, that a WinningPoSt must prove. [any]
std::uint64_t winning_sector(const Bytes32& prover_id, const Bytes32& randomness, std::uint64_t n,
                             std::uint64_t set_size);

// setup.public_inputs() values of a WindowPoSt partition, ONE not among them. `sectors`: those of this partition, at
// least one, at most setup.sectors; the last one is repeated. [any]
std::vector<bls::Fr> window_public_inputs(const PostSetup& setup, const Bytes32& randomness,
                                          std::span<const PostStatementSector> sectors, std::uint64_t partition);
// Of a WinningPoSt over one sector. [any]
std::vector<bls::Fr> winning_public_inputs(const PostSetup& setup, const Bytes32& randomness,
                                           const PostStatementSector& sector);

}  // namespace pinion::filecoin
