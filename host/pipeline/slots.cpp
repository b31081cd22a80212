#include <pinion/host/pipeline/slots.hpp>

namespace pinion::host {

void Slot::reset() noexcept {
  if (Slots* slots = std::exchange(slots_, nullptr)) slots->give();
}

std::optional<Slot> Slots::take(const Rank& rank, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  if (rank.priority >= exceeding_ && !stop.stop_requested()) {
    --free_;
    return Slot(this);
  }
  const auto me = waiting_.insert(rank);
  const bool mine = changed_.wait(lock, stop, [&] { return free_ > 0 && waiting_.begin() == me; });
  waiting_.erase(me);
  // Whoever stands first now may find another slot free, or this one after all.
  changed_.notify_all();
  if (!mine) return std::nullopt;
  --free_;
  return Slot(this);
}

void Slots::give() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ++free_;
  }
  changed_.notify_all();
}

}  // namespace pinion::host
