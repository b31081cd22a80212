// The order of waiting claims against its definition, every one compared with every earlier one, on random queues.
#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <pinion/host/memory/order.hpp>

using namespace pinion::host;

namespace {

constexpr std::size_t kSpaces = 4;
constexpr std::uint32_t kCritical = 3;
constexpr unsigned kMostOvertakes = 2;

// Of one claim: bits by space.
struct Wish {
  std::uint32_t priority;
  unsigned overtaken, wants, lacks;
};

std::ostream& operator<<(std::ostream& out, const Wish& wish) {
  return out << "{priority " << wish.priority << " overtaken " << wish.overtaken << " wants " << wish.wants << " lacks "
             << wish.lacks << "}";
}

rc::Gen<std::vector<Wish>> any_queue() {
  using rc::gen::inRange;
  using rc::gen::set;
  constexpr unsigned all = 1u << kSpaces;
  return rc::gen::container<std::vector<Wish>>(
      rc::gen::resize(rc::kNominalSize,
                      rc::gen::build<Wish>(set(&Wish::priority, inRange(0U, kCritical + 1)),
                                           set(&Wish::overtaken, inRange(0u, kMostOvertakes + 1)),
                                           set(&Wish::wants, inRange(0u, all)), set(&Wish::lacks, inRange(0u, all)))));
}

// As memory.hpp and order.hpp say it.
class Queue {
 public:
  explicit Queue(const std::vector<Wish>& wishes) : claims_(wishes.size()) {
    for (std::size_t w = 0; w < wishes.size(); ++w) {
      claims_[w].priority = wishes[w].priority;
      Waiter& waiter = waiters_.emplace_back();
      waiter.claim = &claims_[w];
      waiter.ticket = w + 1;
      waiter.overtaken = wishes[w].overtaken;
      for (std::size_t i = 0; i < kSpaces; ++i) waiter.total.emplace_back(wishes[w].wants >> i & 1u);
      order_.add(waiter);
    }
    order_.changed();
    lacks_ = [wishes](std::size_t space, const Waiter& waiter) {
      return (wishes[waiter.ticket - 1].lacks >> space & 1u) != 0;
    };
  }

  bool eligible(const Waiter& waiter) const {
    return std::none_of(waiters_.begin(), waiters_.end(),
                        [&](const Waiter& other) { return waits_for(waiter, other); });
  }
  bool waits_for(const Waiter& later, const Waiter& earlier) const {
    return share(later, earlier) && precedes(earlier, later) && !passes(later, earlier);
  }
  bool passes(const Waiter& later, const Waiter& earlier) const {
    if (earlier.claim->priority == kCritical && later.claim->priority != kCritical) return false;
    for (std::size_t i = 0; i < kSpaces; ++i)
      if (!wants(i, later) && wants(i, earlier) && held_up(i, earlier)) return true;
    return false;
  }
  bool lacks_nothing(const Waiter& waiter) const {
    for (std::size_t i = 0; i < kSpaces; ++i)
      if (wants(i, waiter) && lacks_(i, waiter)) return false;
    return true;
  }
  static bool share(const Waiter& a, const Waiter& b) {
    for (std::size_t i = 0; i < kSpaces; ++i)
      if (wants(i, a) && wants(i, b)) return true;
    return false;
  }

  std::deque<Waiter> waiters_;
  Order order_{kMostOvertakes, kCritical};
  Order::Lacks lacks_;

 private:
  static bool wants(std::size_t space, const Waiter& waiter) { return !waiter.total[space].zero(); }
  bool held_up(std::size_t space, const Waiter& waiter) const {
    return lacks_(space, waiter) || std::any_of(waiters_.begin(), waiters_.end(), [&](const Waiter& other) {
             return wants(space, other) && waits_for(waiter, other);
           });
  }
  // Whoever was overtaken often enough goes before all that are not critical.
  static bool precedes(const Waiter& a, const Waiter& b) {
    const auto place = [](const Waiter& waiter) {
      const std::uint32_t priority = waiter.claim->priority;
      return waiter.overtaken < kMostOvertakes ? priority : std::max(priority, kCritical - 1);
    };
    return std::pair(place(b), a.ticket) < std::pair(place(a), b.ticket);
  }

  std::deque<Claim> claims_;
};

}  // namespace

TEST_CASE("the first of each line are enough to tell whose turn it is, and who has to be woken", "[memory][model]") {
  std::size_t compared = 0, passed = 0;
  const bool held = rc::check("as if every claim were compared with every earlier one", [&] {
    Queue queue(*any_queue());
    for (const Waiter& waiter : queue.waiters_) {
      const bool eligible = queue.order_.eligible(waiter, queue.lacks_);
      RC_ASSERT(eligible == queue.eligible(waiter));
      const auto& next = queue.order_.next();
      const bool wants_something = Queue::share(waiter, waiter);
      if (eligible && wants_something) RC_ASSERT(std::find(next.begin(), next.end(), &waiter) != next.end());
      ++compared;
      for (const Waiter& other : queue.waiters_) {
        if (&other == &waiter || !Queue::share(waiter, other) || !queue.passes(waiter, other)) continue;
        // Who is passed could not go in any case.
        RC_ASSERT(!(queue.eligible(other) && queue.lacks_nothing(other)));
        ++passed;
      }
    }
    // Somebody can always go as soon as there is room.
    RC_ASSERT((queue.waiters_.empty() ||
               std::any_of(queue.waiters_.begin(), queue.waiters_.end(),
                           [&](const Waiter& one) { return queue.order_.eligible(one, queue.lacks_); })));
  });
  CHECK(held);
  CHECK(compared > 500);
  CHECK(passed > 100);
}

TEST_CASE("overtaken is who came earlier and is not passed", "[memory][model]") {
  std::size_t counted = 0;
  const bool held = rc::check("as if every claim were compared with every earlier one", [&] {
    const std::vector<Wish> wishes = *any_queue();
    for (std::size_t w = 0; w < wishes.size(); ++w) {
      Queue queue(wishes);
      const Waiter& granted = queue.waiters_[w];
      std::vector<unsigned> expected;
      for (const Waiter& other : queue.waiters_) {
        const bool overtaken =
            other.ticket < granted.ticket && Queue::share(granted, other) && !queue.passes(granted, other);
        expected.push_back(other.overtaken + (overtaken ? 1 : 0));
        counted += overtaken;
      }
      queue.order_.count_overtakes(granted, queue.lacks_);
      for (std::size_t i = 0; i < expected.size(); ++i) RC_ASSERT(queue.waiters_[i].overtaken == expected[i]);
    }
  });
  CHECK(held);
  CHECK(counted > 100);
}
