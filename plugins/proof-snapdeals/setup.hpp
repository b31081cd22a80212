// The numbers that fix a SnapDeals proof (EmptySectorUpdate): from the number of nodes alone.
// Source: rust-fil-proofs storage-proofs-update src/constants.rs.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <pinion/filecoin/sector.hpp>

namespace pinion::filecoin {

struct UpdateSetup {
  std::uint64_t nodes;  // a power of two
  TreeShape tree;       // of TreeR
  unsigned partitions;
  unsigned challenges;   // a partition
  unsigned apex_leaves;  // a power of two

  static constexpr UpdateSetup of(std::uint64_t nodes, TreeShape tree) {
    if (nodes <= 1u << 8) return {nodes, tree, 1, 10, 8};
    if (nodes <= 1u << 10) return {nodes, tree, 2, 10, 128};
    if (nodes <= 1u << 19) return {nodes, tree, 4, 10, 128};
    return {nodes, tree, 16, 86, 128};
  }
  static constexpr UpdateSetup of(SectorSize size) { return of(sector_nodes(size), tree_shape(size)); }

  constexpr unsigned node_bits() const { return static_cast<unsigned>(std::countr_zero(nodes)); }
  constexpr unsigned partition_bits() const { return static_cast<unsigned>(std::countr_zero(partitions)); }
  constexpr unsigned apex_bits() const { return static_cast<unsigned>(std::countr_zero(apex_leaves)); }
  // Levels of TreeD below the apex row.
  constexpr unsigned levels_below_apex() const { return node_bits() - partition_bits() - apex_bits(); }

  // The bits of a challenge that pick its rho: one of six widths, chosen by h_select (one bit of six).
  static constexpr unsigned h_choices = 6;
  constexpr std::array<unsigned, h_choices> hs() const {
    return nodes <= 1u << 10 ? std::array<unsigned, h_choices>{1, 1, 1, 1, 1, 1}
                             : std::array<unsigned, h_choices>{7, 8, 9, 10, 11, 12};
  }
  // Production's width is hs[3]; the first position that holds it is the one selected.
  constexpr unsigned h() const { return hs()[3]; }
  constexpr std::uint64_t h_select() const { return nodes <= 1u << 10 ? 1 : 1u << 3; }

  // Challenges are drawn bits_per_challenge at a time from hashes of 254 usable bits.
  constexpr unsigned challenge_bits() const { return node_bits() - partition_bits(); }
  constexpr unsigned challenges_per_digest() const { return 254 / challenge_bits(); }
  constexpr unsigned digests() const { return (challenges + challenges_per_digest() - 1) / challenges_per_digest(); }
};

}  // namespace pinion::filecoin
