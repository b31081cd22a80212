// The numbers that fix a proof of spacetime (FallbackPoSt): WinningPoSt and WindowPoSt are one circuit with different
// numbers. Source: rust-fil-proofs storage-proofs-post src/fallback, filecoin-proofs src/constants.rs.
#pragma once

#include <cstdint>
#include <pinion/filecoin/sector.hpp>

namespace pinion::filecoin {

// Which challenge index a sector's n-th leaf is drawn with (§5 of the format notes): 1.2.0 starts anew at each sector.
enum class PostRule : std::uint8_t { by_position, by_sector };

struct PostSetup {
  std::uint64_t nodes;  // of a sector; a power of two
  TreeShape tree;
  unsigned sectors;     // of one partition in the circuit
  unsigned challenges;  // of one sector in the circuit
  PostRule rule;

  // WinningPoSt's vanilla proof holds one sector with 66 openings; the circuit sees 66 sectors with one opening each.
  static constexpr unsigned winning_openings = 66;
  static constexpr PostSetup winning(std::uint64_t nodes, TreeShape tree) {
    return {nodes, tree, winning_openings, 1, PostRule::by_position};
  }
  static constexpr PostSetup window(std::uint64_t nodes, TreeShape tree, unsigned sectors, PostRule rule) {
    return {nodes, tree, sectors, 10, rule};
  }
  // Of a registered proof's size.
  static constexpr PostSetup winning(SectorSize size) { return winning(sector_nodes(size), tree_shape(size)); }
  static constexpr PostSetup window(SectorSize size, PostRule rule) {
    const unsigned sectors = size == SectorSize::k32GiB ? 2349 : size == SectorSize::k64GiB ? 2300 : 2;
    return window(sector_nodes(size), tree_shape(size), sectors, rule);
  }

  // ONE not among them: comm_r and the leaf indices of each sector.
  constexpr unsigned public_inputs() const { return sectors * (1 + challenges); }
};

}  // namespace pinion::filecoin
