// The ledger of one space: how many bytes are charged, and that they never exceed the limit. It counts and nothing
// else: what a charge is for stands where the thing itself is kept.
//
// A reserve, charged from the start, is spent by critical charges only, once nothing else is free. What is given back
// refills it first, so that it is whole again as soon as anything is returned.
#pragma once

#include <algorithm>
#include <atomic>
#include <pinion/host/base/bytes.hpp>
#include <stdexcept>

namespace pinion::host {

enum class Urgency { ordinary, critical };

// Charges and uncharges are serialised by the owner's lock; used() may be read by anyone at any instant.
class Budget {
 public:
  // reserve is at most limit.
  explicit Budget(Bytes limit, Bytes reserve = {}) noexcept
      : limit_(limit), reserve_(reserve), unspent_(reserve), used_(reserve.count()), high_water_(reserve) {}

  Bytes limit() const noexcept { return limit_; }
  // What a charge of this urgency can be at most, when nothing else is charged.
  Bytes limit_for(Urgency urgency) const { return urgency == Urgency::critical ? limit_ : limit_ - reserve_; }
  // Charged, the unspent reserve included.
  Bytes used() const noexcept { return Bytes(used_.load(std::memory_order_relaxed)); }
  Bytes unspent_reserve() const noexcept { return unspent_; }
  Bytes spent_reserve() const { return reserve_ - unspent_; }
  Bytes free(Urgency urgency = Urgency::ordinary) const {
    return limit_ - used() + (urgency == Urgency::critical ? unspent_ : Bytes());
  }
  // What must be given back before such a charge fits, the reserve's refill included; zero when it fits now.
  Bytes shortfall(Bytes bytes, Urgency urgency) const {
    const Bytes now = free(urgency);
    if (bytes <= now) return {};
    return bytes - now + (urgency == Urgency::ordinary ? spent_reserve() : Bytes());
  }
  Bytes high_water() const noexcept { return high_water_; }

  // All of it or, when it does not fit, nothing.
  bool try_charge(Bytes bytes, Urgency urgency = Urgency::ordinary) {
    if (bytes > free(urgency)) return false;
    const Bytes of_free = std::min(bytes, limit_ - used());
    unspent_ -= bytes - of_free;
    set_used(used() + of_free);
    return true;
  }

  // What was charged before; BytesOverflow when more is given back than is charged, which is a defect.
  void uncharge(Bytes bytes) {
    const Bytes refill = std::min(bytes, spent_reserve());
    const Bytes held = used() - unspent_ - bytes;
    unspent_ += refill;
    set_used(held + unspent_);
  }

 private:
  // The one place that changes what is used.
  void set_used(Bytes used) {
    if (used > limit_) throw std::logic_error("memory: the ledger exceeds its limit");
    used_.store(used.count(), std::memory_order_relaxed);
    high_water_ = std::max(high_water_, used);
  }

  const Bytes limit_;
  const Bytes reserve_;
  Bytes unspent_;
  std::atomic<std::uint64_t> used_;
  Bytes high_water_;
};

}  // namespace pinion::host
