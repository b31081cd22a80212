// RLIMIT_MEMLOCK: how much this process may lock, how much it has locked, and what to change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pinned {

struct LockedMemory {
  std::optional<std::uint64_t> limit;  // bytes; none: unlimited, or the process may pass it (CAP_IPC_LOCK)
  std::uint64_t locked = 0;            // bytes, counted by the kernel for mlock

  static LockedMemory now();
  // Whether `more` bytes fit under the limit.
  bool allows(std::uint64_t more) const;
  // "RLIMIT_MEMLOCK is 8388608 bytes, 0 of them locked; raise it with …"
  std::string advice() const;
};

}  // namespace pinned
