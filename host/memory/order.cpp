// The order of waiting claims: whose turn it is, and who passes whom.
//
// Those who want something of the same spaces stand in one line. Only the first of a line can be next, so only the
// first ones are compared with each other, and only they are woken.
#include <algorithm>

#include "core.hpp"

namespace pinion::host {
namespace {

bool share_a_space(const BytesBySpace& a, const BytesBySpace& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].zero() && !b[i].zero()) return true;
  return false;
}

bool same_spaces(const BytesBySpace& a, const BytesBySpace& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].zero() != b[i].zero()) return false;
  return true;
}

bool wants_nothing(const Waiter& waiter) {
  return std::all_of(waiter.total.begin(), waiter.total.end(), [](Bytes bytes) { return bytes.zero(); });
}

// Whether `a` wants something of no other spaces than `b`.
bool wants_within(const BytesBySpace& a, const BytesBySpace& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].zero() && b[i].zero()) return false;
  return true;
}

}  // namespace

bool MemoryCore::precedes(const Waiter& a, const Waiter& b) const {
  const auto rank = [this](const Waiter& waiter) {
    const int priority = waiter.claim->priority;
    const bool its_turn = waiter.overtaken >= options_.max_overtakes && urgency(priority) == Urgency::ordinary;
    return its_turn ? std::max(priority, options_.critical_priority - 1) : priority;
  };
  const int rank_a = rank(a);
  const int rank_b = rank(b);
  return rank_a != rank_b ? rank_a > rank_b : a.ticket < b.ticket;
}

Waiter* MemoryCore::first_in(std::size_t space) const {
  Waiter* first = nullptr;
  for (Waiter* waiter : firsts_)
    if (!waiter->total[space].zero() && (first == nullptr || precedes(*waiter, *first))) first = waiter;
  return first;
}

// Whether something that it wants of a space is not there, or meant for somebody earlier.
bool MemoryCore::held_up_in(std::size_t space, const Waiter& waiter, FirstHeldUp& known) const {
  if (first_in(space) != &waiter) return true;
  if (!known[space]) known[space] = first_held_up(space, waiter);
  return *known[space];
}

bool MemoryCore::first_held_up(std::size_t space, const Waiter& first) const {
  if (!total_of(*first.claim)) return true;  // what it wants is to be had no more: it is refused once it looks itself
  const Plan plan = make_plan(*first.claim, Reuse::any);
  BytesBySpace shortfall = zero();
  shortfall[space] = spaces_[space].budget.shortfall(plan.charge[space], urgency(first.claim->priority));
  if (shortfall[space].zero()) return false;
  Idle idle = idle_things(plan.taken, first.claim);
  return !choose_victims(std::move(idle), std::move(shortfall), clock_.now(), options_.evict_min_idle, Spare::no)
              .enough;
}

// Whether `later` takes nothing from `earlier`, which could not go without it either: it is held up in a space where
// `later` wants nothing, and will be the first wherever it wants something when there is room. Who is critical does not
// find the other spaces full then.
bool MemoryCore::passes(const Waiter& later, const Waiter& earlier, FirstHeldUp& known) const {
  if (urgency(earlier.claim->priority) == Urgency::critical && urgency(later.claim->priority) == Urgency::ordinary)
    return false;
  for (std::size_t i = 0; i < spaces_.size(); ++i)
    if (later.total[i].zero() && !earlier.total[i].zero() && held_up_in(i, earlier, known)) return true;
  return false;
}

// A claim waits for every earlier one it shares a space with and cannot pass. To ask the first of each line is enough:
// whom it waits for behind that one, it waits for that one too.
bool MemoryCore::eligible(const Waiter& waiter) const {
  FirstHeldUp known(spaces_.size());
  return std::none_of(firsts_.begin(), firsts_.end(), [&](const Waiter* other) {
    return other != &waiter && share_a_space(other->total, waiter.total) && precedes(*other, waiter) &&
           !passes(waiter, *other, known);
  });
}

// Who waits, or what they want, or how often they were overtaken.
void MemoryCore::queue_changed() {
  firsts_.clear();
  for (Waiter* waiter : queue_) {
    const auto known = std::find_if(firsts_.begin(), firsts_.end(),
                                    [&](const Waiter* other) { return same_spaces(other->total, waiter->total); });
    if (known != firsts_.end()) {
      if (precedes(*waiter, **known)) *known = waiter;
    } else if (!wants_nothing(*waiter)) {
      firsts_.push_back(waiter);
    }
  }
  changed();
}

// Wakes those who may be eligible: nobody earlier wants something of no other spaces than they do.
void MemoryCore::changed() {
  ++version_;
  for (Waiter* waiter : firsts_) {
    const auto in_front = [&](const Waiter* other) {
      return other != waiter && wants_within(other->total, waiter->total) && precedes(*other, *waiter);
    };
    if (std::none_of(firsts_.begin(), firsts_.end(), in_front)) waiter->wake.notify_one();
  }
}

// Those who may not go are to look as well: at the end, and when what can be had is another.
void MemoryCore::wake_all() {
  ++version_;
  for (Waiter* waiter : queue_) waiter->wake.notify_one();
}

void MemoryCore::leave_queue(Waiter& waiter) {
  std::erase(queue_, &waiter);
  if (queue_.empty()) nobody_waits_.notify_all();
  queue_changed();  // the next one may be first now
}

void MemoryCore::count_overtakes(const Waiter& granted) {
  FirstHeldUp known(spaces_.size());
  for (Waiter* other : queue_) {
    if (other->ticket < granted.ticket && share_a_space(other->total, granted.total) && !passes(granted, *other, known))
      ++other->overtaken;
  }
}

}  // namespace pinion::host
