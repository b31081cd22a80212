// The order of waiting claims: whose turn it is, who passes whom, and who has to look again. Bookkeeping only: it
// knows what each of them wants, is told what is lacking, and takes no lock; MemoryCore does.
//
// A claim waits for every earlier one it shares a space with, unless it passes it: when the earlier one is held up in
// a space where the later one wants nothing. Held up it is where something is lacking, or where it waits for somebody
// earlier in its turn. So the later one takes nothing that the earlier one could go with, and the earlier one will be
// the first wherever it wants something when there is room. Who is critical is passed by critical claims only: it must
// not find the other spaces full then.
#pragma once

#include <condition_variable>
#include <functional>
#include <pinion/host/memory/evictor.hpp>
#include <vector>

namespace pinion::host {

struct Waiter {
  const Claim* claim = nullptr;
  std::uint64_t ticket = 0;
  TimePoint since{};
  unsigned overtaken = 0;
  BytesBySpace total{};            // what it asks for; it competes for the spaces where this is not zero
  std::condition_variable wake{};  // its own: of many, a change concerns only those who may go
};

class Order {
 public:
  // Whether it could not go for what it wants of this space, even if everything idle there were dropped.
  using Lacks = std::function<bool(std::size_t space, const Waiter& waiter)>;

  Order(unsigned max_overtakes, std::uint32_t critical_priority) noexcept
      : max_overtakes_(max_overtakes), critical_priority_(critical_priority) {}

  // In the order in which they came.
  const std::vector<Waiter*>& waiters() const noexcept { return waiters_; }
  bool critical(std::uint32_t priority) const noexcept { return priority >= critical_priority_; }

  // After these, and whenever what somebody wants, or how often he was overtaken, has changed: changed().
  void add(Waiter& waiter) { waiters_.push_back(&waiter); }
  void remove(Waiter& waiter) { std::erase(waiters_, &waiter); }
  void changed();

  bool eligible(const Waiter& waiter, const Lacks& lacks) const;
  // Of those who came earlier and whom it does not pass.
  void count_overtakes(const Waiter& granted, const Lacks& lacks) const;

  // Those who may be eligible, whatever is lacking: nobody earlier wants something of no other spaces than they do.
  const std::vector<Waiter*>& next() const noexcept { return next_; }

 private:
  class Look;
  bool precedes(const Waiter& a, const Waiter& b) const;

  const unsigned max_overtakes_;
  const std::uint32_t critical_priority_;
  std::vector<Waiter*> waiters_;
  // Those who want something of the same spaces stand in one line. Only the first of a line can be next: the others
  // wait for it, and whoever passes it passes them.
  std::vector<Waiter*> firsts_, next_;
};

}  // namespace pinion::host
