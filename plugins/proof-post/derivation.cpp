#include <algorithm>
#include <pinion/post/derivation.hpp>

namespace pinion::filecoin {

using bls::Fr;

std::uint64_t post_leaf(const Bytes32& randomness, std::uint64_t sector_id, std::uint64_t challenge_index,
                        std::uint64_t nodes) {
  const Bytes32 hash = sha256({randomness, little_endian<8>(sector_id), little_endian<8>(challenge_index)});
  return read_little_endian(ByteView(hash).first(8)) % nodes;
}

std::uint64_t post_challenge_index(const PostSetup& setup, std::uint64_t position, unsigned n) {
  return setup.rule == PostRule::by_sector ? n : position * setup.challenges + n;
}

std::uint64_t winning_sector(const Bytes32& prover_id, const Bytes32& randomness, std::uint64_t n,
                             std::uint64_t set_size) {
  const Bytes32 hash = sha256({prover_id, randomness, little_endian<8>(n)});
  return read_little_endian(ByteView(hash).first(8)) % set_size;
}

std::vector<Fr> window_public_inputs(const PostSetup& setup, const Bytes32& randomness,
                                     std::span<const PostStatementSector> sectors, std::uint64_t partition) {
  std::vector<Fr> out;
  for (std::uint64_t i = 0; i < setup.sectors; ++i) {
    // A sector that fills a short partition is repeated whole, with the leaves of its own position.
    const std::uint64_t position = std::min<std::uint64_t>(i, sectors.size() - 1);
    const PostStatementSector& sector = sectors[position];
    out.push_back(sector.comm_r);
    for (unsigned n = 0; n < setup.challenges; ++n) {
      const std::uint64_t index = post_challenge_index(setup, partition * setup.sectors + position, n);
      out.push_back(Fr::from_u64(post_leaf(randomness, sector.sector_id, index, setup.nodes)));
    }
  }
  return out;
}

std::vector<Fr> winning_public_inputs(const PostSetup& setup, const Bytes32& randomness,
                                      const PostStatementSector& sector) {
  // One sector stands at every position, so its leaves differ.
  const std::vector<PostStatementSector> sectors(setup.sectors, sector);
  return window_public_inputs(setup, randomness, sectors, 0);
}

}  // namespace pinion::filecoin
