// Nobody sleeps through his turn: claims on several devices at random, and after every step, once everything has
// settled, nobody waits who could go by the order and for whom there is room.
#include <array>
#include <catch2/catch.hpp>
#include <list>
#include <pinion/host/memory/order.hpp>
#include <random>

#include "fakes.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

constexpr int kCritical = 3;
constexpr std::array<std::uint64_t, 4> kBudgets{100, 50, 50, 70};  // the host's, and those of three devices

SpaceId space(std::size_t i) {
  return i == 0 ? SpaceId::host() : SpaceId::device(static_cast<std::uint32_t>(i - 1));
}

MemoryOptions options() {
  MemoryOptions options;
  options.critical_priority = kCritical;
  options.max_overtakes = 1'000'000;  // who was overtaken is the memory's own affair
  return options;
}

class Turns {
  std::mt19937 random_;
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  template <class List>
  auto any_of(List& list) {
    return std::next(list.begin(), static_cast<std::ptrdiff_t>(below(list.size())));
  }

 public:
  explicit Turns(unsigned seed) : random_(seed) {}
  ~Turns() {
    for (auto& waiter : waiting_) waiter.claimant->cancel();
  }

  void step() {
    switch (below(8)) {
      case 0:
        if (!held_.empty()) held_.erase(any_of(held_));
        break;
      case 1:
        if (!waiting_.empty()) any_of(waiting_)->claimant->cancel();
        break;
      case 2:
        if (auto granted = memory_.try_claim(claim(1 + below(2)))) held_.push_back(std::move(*granted));
        break;
      case 3:
        if (held_.size() > 4) held_.clear();
        break;
      default:
        ask();
    }
    settle();
  }

  // Everybody gets his turn in the end.
  void end() {
    while (!waiting_.empty() && settled_) {
      held_.clear();
      settle();
    }
  }
  bool settled() const { return settled_; }
  std::size_t waited() const { return waited_; }

 private:
  struct Asked {
    Claim claim;
    std::uint64_t ticket;
    std::unique_ptr<Claimant> claimant;
  };

  // Of some spaces, at most a share of what each has.
  Claim claim(std::uint64_t share) {
    Claim out;
    out.owner = job(std::to_string(++last_));
    out.priority = below(4) == 0 ? static_cast<int>(below(kCritical + 1)) : 0;
    for (std::size_t i = 0; i < kBudgets.size(); ++i)
      if (below(5) < (i == 0 ? 4u : 2u)) out.bytes.push_back({space(i), Bytes(1 + below(kBudgets[i] / share)), "test"});
    return out;
  }

  void ask() {
    Claim wanted = claim(1);
    auto claimant = std::make_unique<Claimant>(memory_, wanted);
    const auto in_queue = [&] {
      for (const SpaceStatus& status : memory_.snapshot())
        for (const auto& waiter : status.waiting)
          if (waiter.owner.job == wanted.owner.job) return true;
      return false;
    };
    REQUIRE(soon([&] { return claimant->done() || in_queue(); }));
    waited_ += !claimant->done();
    waiting_.push_back({std::move(wanted), last_, std::move(claimant)});
  }

  void settle() {
    settled_ = settled_ && soon([&] { return nobody_may_go(); });
  }

  bool nobody_may_go() {
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      if (!at->claimant->done()) {
        ++at;
        continue;
      }
      if (auto& granted = at->claimant->result()) held_.push_back(std::move(*granted));
      at = waiting_.erase(at);
    }
    const std::vector<SpaceStatus> now = memory_.snapshot();
    const auto lacks = [&](std::size_t i, const Waiter& waiter) {
      return waiter.total[i] > now[i].budget - now[i].used;
    };
    std::list<Waiter> waiters;
    Order order(options().max_overtakes, kCritical);
    for (const Asked& asked : waiting_) {
      Waiter& waiter = waiters.emplace_back();
      waiter.claim = &asked.claim;
      waiter.ticket = asked.ticket;
      waiter.total.resize(kBudgets.size());
      for (const ByteNeed& need : asked.claim.bytes) waiter.total[need.space.number()] += need.bytes;
      order.add(waiter);
    }
    order.changed();
    return std::none_of(waiters.begin(), waiters.end(), [&](const Waiter& waiter) {
      for (std::size_t i = 0; i < kBudgets.size(); ++i)
        if (lacks(i, waiter)) return false;
      return order.eligible(waiter, lacks);
    });
  }

  static std::vector<SpaceSetup> spaces() {
    std::vector<SpaceSetup> out;
    for (std::size_t i = 0; i < kBudgets.size(); ++i) out.push_back({space(i), Bytes(kBudgets[i]), {}});
    return out;
  }

  ManualClock clock_;
  MemoryLog log_;
  Memory memory_{options(), spaces(), clock_, log_};
  std::list<Granted> held_;
  std::list<Asked> waiting_;
  std::uint64_t last_ = 0;
  std::size_t waited_ = 0;
  bool settled_ = true;
};

}  // namespace

TEST_CASE("nobody sleeps through his turn", "[memory][model]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    Turns turns(seed);
    for (int i = 0; i < 60; ++i) {
      INFO("step " << i);
      turns.step();
      REQUIRE(turns.settled());
    }
    turns.end();
    CHECK(turns.settled());
    CHECK(turns.waited() > 5);
  }
}
