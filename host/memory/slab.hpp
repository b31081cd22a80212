// Slabs: the pieces of host memory that allocators make and the pool owns. SlabSource is what the pool wants of an
// allocator; who implements it (a plugin's table, a test) the pool does not know.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/status.hpp>
#include <string>

namespace pinion::host {

// Fixed at a slab's birth. The values are bits, so that a set of kinds is an OR; those of the C ABI.
enum class SlabKind : std::uint32_t { pageable = 1, pinned = 2 };

struct SlabKinds {
  std::uint32_t bits = 3;
  constexpr bool has(SlabKind kind) const noexcept { return (bits & static_cast<std::uint32_t>(kind)) != 0; }
};

// How a device knows memory that was lent for it, which need not be what its allocator states. The values are those of
// the C ABI.
enum class SeenAs : std::uint32_t { unknown = 0, pageable, pinned, device, managed, mixed };

std::string kind_text(SlabKind kind);
std::string seen_text(SeenAs seen);  // "pinned", "mixed"; "" for unknown
// What is known differs from what was stated.
bool contradicts(SeenAs seen, SlabKind stated);
std::string kinds_text(SlabKinds kinds);  // "pinned or pageable"

// Where a slab should lie.
struct Placement {
  std::int32_t numa_node = -1;                              // -1: anywhere
  std::optional<std::array<std::uint8_t, 16>> device_uuid;  // which device will read it
};

struct SlabSourceInfo {
  std::string name;  // of the allocator, for messages
  SlabKind kind = SlabKind::pageable;
  Bytes granularity{4096};  // sizes are multiples of it; a power of two
  Bytes max_slab;           // 0: no limit of its own
};

class SlabSource {
 public:
  virtual ~SlabSource() = default;

  // The same at every call. [any]
  virtual SlabSourceInfo describe() const = 0;

  // One slab of `bytes`, a positive multiple of the granularity; already charged. May take seconds; called without any
  // lock held. On failure nothing is kept. [any]
  virtual Result<void*> allocate(Bytes bytes, const Placement& placement) = 0;

  // Back to the OS; `bytes` as allocated. Nobody uses it any more. Called without any lock held. When it fails the OS
  // does not get it back before the process ends, says the message, and the slab's memory is as before. [any]
  virtual Status release(void* slab, Bytes bytes) noexcept = 0;
};

}  // namespace pinion::host
