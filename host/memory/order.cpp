#include <algorithm>
#include <iterator>
#include <optional>
#include <pinion/host/memory/order.hpp>

namespace pinion::host {
namespace {

bool share_a_space(const BytesBySpace& a, const BytesBySpace& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].zero() && !b[i].zero()) return true;
  return false;
}

// Whether `a` wants something of no other spaces than `b`.
bool wants_within(const BytesBySpace& a, const BytesBySpace& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].zero() && b[i].zero()) return false;
  return true;
}

bool same_spaces(const BytesBySpace& a, const BytesBySpace& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].zero() != b[i].zero()) return false;
  return true;
}

bool wants_nothing(const Waiter& waiter) {
  return std::all_of(waiter.total.begin(), waiter.total.end(), [](Bytes bytes) { return bytes.zero(); });
}

}  // namespace

bool Order::precedes(const Waiter& a, const Waiter& b) const {
  const auto rank = [this](const Waiter& waiter) {
    const std::uint32_t priority = waiter.claim->priority;
    const bool its_turn = waiter.overtaken >= max_overtakes_ && !critical(priority);
    return its_turn ? std::max(priority, critical_priority_ - 1) : priority;
  };
  const std::uint32_t rank_a = rank(a);
  const std::uint32_t rank_b = rank(b);
  return rank_a != rank_b ? rank_a > rank_b : a.ticket < b.ticket;
}

// The whole order at one instant. Asks what is lacking at most once for each first of a line and space.
class Order::Look {
 public:
  Look(const Order& order, const Lacks& lacks, std::size_t spaces)
      : order_(order), lacks_(lacks), spaces_(spaces), held_up_(order.firsts_.size() * spaces) {}

  bool waits_for(const Waiter& later, const Waiter& earlier) {
    return share_a_space(later.total, earlier.total) && order_.precedes(earlier, later) && !passes(later, earlier);
  }
  bool passes(const Waiter& later, const Waiter& earlier) {
    if (order_.critical(earlier.claim->priority) && !order_.critical(later.claim->priority)) return false;
    for (std::size_t i = 0; i < later.total.size(); ++i)
      if (later.total[i].zero() && !earlier.total[i].zero() && held_up_in(i, earlier)) return true;
    return false;
  }

 private:
  // Asks of ever earlier ones, and so comes to an end.
  bool held_up_in(std::size_t space, const Waiter& waiter) {
    const std::vector<Waiter*>& firsts = order_.firsts_;
    const auto first = std::find(firsts.begin(), firsts.end(), &waiter);
    if (first == firsts.end()) return true;  // it waits for the first of its line
    std::optional<bool>& held_up = held_up_[static_cast<std::size_t>(first - firsts.begin()) * spaces_ + space];
    if (!held_up) {
      const auto in_front = [&](const Waiter* other) {
        return !other->total[space].zero() && waits_for(waiter, *other);
      };
      held_up = std::any_of(firsts.begin(), firsts.end(), in_front) || lacks_(space, waiter);
    }
    return *held_up;
  }

  const Order& order_;
  const Lacks& lacks_;
  const std::size_t spaces_;
  std::vector<std::optional<bool>> held_up_;  // by first of a line, then space, as far as it was asked
};

bool Order::eligible(const Waiter& waiter, const Lacks& lacks) const {
  Look look(*this, lacks, waiter.total.size());
  return std::none_of(firsts_.begin(), firsts_.end(),
                      [&](const Waiter* other) { return look.waits_for(waiter, *other); });
}

void Order::count_overtakes(const Waiter& granted, const Lacks& lacks) const {
  Look look(*this, lacks, granted.total.size());
  std::vector<Waiter*> overtaken;  // counted when all are found: it changes who precedes whom
  std::copy_if(waiters_.begin(), waiters_.end(), std::back_inserter(overtaken), [&](const Waiter* other) {
    return other->ticket < granted.ticket && share_a_space(other->total, granted.total) &&
           !look.passes(granted, *other);
  });
  for (Waiter* other : overtaken) ++other->overtaken;
}

void Order::changed() {
  firsts_.clear();
  for (Waiter* waiter : waiters_) {
    const auto known = std::find_if(firsts_.begin(), firsts_.end(),
                                    [&](const Waiter* other) { return same_spaces(other->total, waiter->total); });
    if (known != firsts_.end()) {
      if (precedes(*waiter, **known)) *known = waiter;
    } else if (!wants_nothing(*waiter)) {
      firsts_.push_back(waiter);
    }
  }
  next_.clear();
  std::copy_if(firsts_.begin(), firsts_.end(), std::back_inserter(next_), [&](const Waiter* waiter) {
    return std::none_of(firsts_.begin(), firsts_.end(), [&](const Waiter* other) {
      return wants_within(other->total, waiter->total) && precedes(*other, *waiter);
    });
  });
}

}  // namespace pinion::host
