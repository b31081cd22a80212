// Sector sizes and the shape of a sector's Poseidon trees. Shapes are separate from sizes because tests use the shapes
// of 32GiB and 64GiB at toy size.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace pinion::filecoin {

enum class SectorSize : std::uint8_t { k2KiB, k8MiB, k512MiB, k32GiB, k64GiB };
inline constexpr std::array sector_sizes{SectorSize::k2KiB, SectorSize::k8MiB, SectorSize::k512MiB, SectorSize::k32GiB,
                                         SectorSize::k64GiB};

// Position in every table of §1.5 and in every registered proof's numbering.
constexpr std::size_t index_of(SectorSize size) {
  return static_cast<std::size_t>(size);
}

constexpr std::uint64_t sector_bytes(SectorSize size) {
  return std::array<std::uint64_t, 5>{1ULL << 11, 1ULL << 23, 1ULL << 29, 1ULL << 35, 1ULL << 36}[index_of(size)];
}
// A node is 32 bytes; always a power of two.
constexpr std::uint64_t sector_nodes(SectorSize size) {
  return sector_bytes(size) / 32;
}

// "2KiB" … "64GiB", as in registered proofs.
constexpr std::string_view sector_name(SectorSize size) {
  return std::array<std::string_view, 5>{"2KiB", "8MiB", "512MiB", "32GiB", "64GiB"}[index_of(size)];
}

// A tree of `base`-ary trees joined by a `sub`-ary and a `top`-ary root row; 0 where there is none.
struct TreeShape {
  unsigned base = 8;
  unsigned sub = 0;
  unsigned top = 0;

  friend constexpr bool operator==(const TreeShape&, const TreeShape&) = default;

  // Levels of one base tree when all base trees together have `nodes` leaves (a power of two that fits the shape).
  constexpr unsigned base_levels(std::uint64_t nodes) const {
    const std::uint64_t trees = std::uint64_t{sub == 0 ? 1 : sub} * (top == 0 ? 1 : top);
    return static_cast<unsigned>(std::countr_zero(nodes / trees)) / static_cast<unsigned>(std::countr_zero(base));
  }
};

constexpr TreeShape tree_shape(SectorSize size) {
  if (size == SectorSize::k64GiB) return {8, 8, 2};
  if (size == SectorSize::k32GiB) return {8, 8, 0};
  return {8, 0, 0};
}

}  // namespace pinion::filecoin
