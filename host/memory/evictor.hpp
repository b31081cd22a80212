// What to drop, and in which order, when a space is short of bytes. A pure choice: it looks at idle things and names
// victims; MemoryCore drops them. The order is
//
//   1. idle slabs that no waiting claim can use, largest first;
//   2. residents that nobody uses and nobody has used for `min_idle`, cheapest to reload first, then longest idle;
//   3. the other idle slabs, largest first;
//   4. as a last resort, the residents spared so far: those used lately, then those of critical work, which time does
//      not free because a deadline of seconds has no room for loading them again.
#pragma once

#include <memory>
#include <optional>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/base/units.hpp>
#include <pinion/host/memory/claim.hpp>
#include <vector>

namespace pinion::host {

// Bytes by space, in the order in which MemoryCore keeps its spaces.
using BytesBySpace = std::vector<Bytes>;

struct IdleSlab {
  SlabId id;
  BytesBySpace bytes;  // the host's, and once more as page-locked where it is
  TimePoint since;
  bool wanted = false;  // some waiting claim could use it
};

struct IdleResident {
  std::shared_ptr<ResidentEntry> entry;
  BytesBySpace bytes;
  TimePoint since;
  Duration reload{};
  bool critical = false;  // who used it last was critical
  bool seated = false;    // in a slab that is to be taken from it: it goes in any case
};

struct Idle {
  std::vector<IdleSlab> slabs;
  std::vector<IdleResident> residents;
};

struct Victims {
  std::vector<IdleSlab> slabs;
  std::vector<IdleResident> residents;
  bool enough = false;                 // dropping them covers the shortfall in every space
  std::optional<TimePoint> next_time;  // when not enough: the first spared resident stops being spared then

  bool empty() const noexcept { return slabs.empty() && residents.empty(); }
};

// Whether what is spared may go too.
enum class Spare { yes, no };

// The shortest prefix of the order, without what helps no space that is still short, that covers `shortfall`; all of
// it when that is not enough.
Victims choose_victims(Idle idle, BytesBySpace shortfall, TimePoint now, Duration min_idle, Spare spare = Spare::yes);

}  // namespace pinion::host
