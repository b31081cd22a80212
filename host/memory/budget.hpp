// The ledger of one space: how many bytes are charged, and that they never exceed the limit. It counts and nothing
// else: what a charge is for stands where the thing itself is kept.
#pragma once

#include <atomic>
#include <pinion/host/base/bytes.hpp>

namespace pinion::host {

// Charges and uncharges are serialised by the owner's lock; used() may be read by anyone at any instant.
class Budget {
 public:
  explicit Budget(Bytes limit) noexcept : limit_(limit) {}

  Bytes limit() const noexcept { return limit_; }
  Bytes used() const noexcept { return Bytes(used_.load(std::memory_order_relaxed)); }
  Bytes free() const noexcept { return Bytes(limit_.count() - used().count()); }
  Bytes high_water() const noexcept { return high_water_; }

  // All of it or, when it does not fit, nothing.
  bool try_charge(Bytes bytes) noexcept {
    if (bytes > free()) return false;
    used_.store(used().count() + bytes.count(), std::memory_order_relaxed);
    if (used() > high_water_) high_water_ = used();
    return true;
  }

  // What was charged before; BytesOverflow when more is given back than is charged, which is a defect.
  void uncharge(Bytes bytes) { used_.store((used() - bytes).count(), std::memory_order_relaxed); }

 private:
  const Bytes limit_;
  std::atomic<std::uint64_t> used_{0};
  Bytes high_water_;
};

}  // namespace pinion::host
