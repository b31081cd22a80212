// A counted permission that is handed out by rank: how many syntheses, how many starts on a device may run at once.
// Where the count is a matter of taste and not of hardware, an urgent rank need not wait: it exceeds the count. Not for
// memory, which has its own queue.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <pinion/host/pipeline/rank.hpp>
#include <set>
#include <stop_token>
#include <utility>

namespace pinion::host {

class Slots;

// One permission; given back when it goes out of scope. The Slots it came from outlives it.
class Slot {
 public:
  Slot() noexcept = default;
  Slot(Slot&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)) {}
  Slot& operator=(Slot&& other) noexcept {
    std::swap(slots_, other.slots_);
    return *this;
  }
  ~Slot() { reset(); }
  void reset() noexcept;

 private:
  friend class Slots;
  explicit Slot(Slots* slots) noexcept : slots_(slots) {}
  Slots* slots_ = nullptr;
};

class Slots {
 public:
  // count: at least 1. Ranks of at least `exceeding` priority never wait.
  explicit Slots(unsigned count, std::uint32_t exceeding = UINT32_MAX) : exceeding_(exceeding), free_(count) {}

  // Waits for its turn. Nothing when `stop` was requested first. [worker]
  std::optional<Slot> take(const Rank& rank, std::stop_token stop);

 private:
  friend class Slot;
  void give() noexcept;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::multiset<Rank> waiting_;
  const std::uint32_t exceeding_;
  std::int64_t free_;  // negative while it is exceeded
};

}  // namespace pinion::host
