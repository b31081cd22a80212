#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <pinion/host/config/machine_process.hpp>
#include <pinion/host/config/machine_start.hpp>
#include <pinion/printable.hpp>

namespace pinion::host {
namespace {

constexpr auto poll = std::chrono::milliseconds(50);
constexpr Bytes own_base = mib(256);  // what the process needs beside what it charges
constexpr Bytes least_budget = mib(1);

// Less than this is not memory being given back, but a machine at work.
Bytes growth_of(Bytes wanted) {
  return std::max(mib(16), Bytes(wanted.count() / 1024));
}

std::optional<ProcessFact> ending_predecessor(const std::vector<ProcessFact>& others, const std::string& name) {
  const auto at = std::find_if(others.begin(), others.end(),
                               [&](const ProcessFact& other) { return other.ending && other.name == name; });
  return at == others.end() ? std::nullopt : std::optional(*at);
}

std::string holder_text(const std::vector<ProcessFact>& others) {
  if (others.empty() || others.front().resident.zero()) return "";
  const ProcessFact& most = others.front();
  return fmt::format("; process {} ({}) holds {}", most.pid, shown(most.name), human_text(most.resident));
}

class Start {
 public:
  Start(const StartWait& wait, const Clock& clock, const std::string& root)
      : wait_(wait), clock_(clock), root_(root), name_(own_name(root)), begin_(clock.now()), grown_(begin_) {}

  // What is available when it suffices, or when waiting is of no more use; nothing where the kernel does not say.
  Result<std::optional<MemoryFact>> settle(const MachineMemory& first, Bytes wanted) {
    std::optional<MemoryFact> now = first.free_now();
    Bytes most = now ? now->bytes : Bytes();
    while (now && now->bytes < wanted && goes_on()) {
      tell(*now, wanted);
      pause();
      const auto machine = read_machine_memory(root_);
      if (!machine) return machine.status();
      now = machine->free_now();
      if (!now || now->bytes < most + growth_of(wanted)) continue;
      most = now->bytes;
      grown_ = clock_.now();
    }
    return now;
  }
  Duration waited() const { return std::chrono::duration_cast<Duration>(clock_.now() - begin_); }

 private:
  bool goes_on() {
    const TimePoint now = clock_.now();
    if (wait_.stop.stop_requested() || now - begin_ >= wait_.at_most) return false;
    if (now - grown_ < wait_.settle) return true;
    if (now - grown_ >= wait_.ending) return false;
    const auto others = other_processes(root_);
    ending_ = ending_predecessor(others, name_);
    return ending_.has_value();
  }

  // Once, and not before somebody is seen to give memory back: a machine that is merely busy is waited for so shortly
  // that nobody need know.
  void tell(const MemoryFact& now, Bytes wanted) {
    if (told_ || !wait_.progress || (grown_ == begin_ && !ending_)) return;
    told_ = true;
    const auto who = ending_ ? fmt::format("process {} ({}) is ending", ending_->pid, shown(ending_->name))
                             : std::string("another process gives some back");
    wait_.progress(fmt::format("waiting for memory, at most {}: {} of {} available; {}", exact_text(wait_.at_most),
                               human_text(now.bytes), human_text(wanted), who));
  }

  void pause() const {
    std::mutex mutex;
    std::condition_variable nobody;
    std::unique_lock lock(mutex);
    clock_.wait_until(nobody, lock, clock_.now() + poll);
  }

  const StartWait& wait_;
  const Clock& clock_;
  const std::string& root_;
  const std::string name_;
  const TimePoint begin_;
  TimePoint grown_;
  std::optional<ProcessFact> ending_;  // a predecessor, of our own name
  bool told_ = false;
};

// Down to what is there, less what the process needs beside its budget.
Status shrink(BudgetDecision& decision, const MemoryFact& now, const std::vector<ProcessFact>& others) {
  const Bytes base = std::min(own_base, Bytes(now.bytes.count() / 8));
  const Bytes left = now.bytes - base;
  const std::string holder = holder_text(others);
  if (left < least_budget)
    return Status(Code::out_of_memory, fmt::format("only {} of memory are available ({}){}; end what holds it, or wait",
                                                   human_text(now.bytes), now.source, holder));
  decision.warnings.push_back(
      fmt::format("memory budget {} instead of {} until pinion is started again: {} available ({}){}", human_text(left),
                  human_text(decision.budget), human_text(now.bytes), now.source, holder));
  decision.reason =
      fmt::format("{} ({}) minus {} for the process itself", human_text(now.bytes), now.source, human_text(base));
  decision.budget = left;
  return {};
}

}  // namespace

Result<BudgetDecision> settle_budget(const MemoryConfig& memory, const StartWait& wait, const Clock& clock,
                                     const std::string& root) {
  const auto machine = read_machine_memory(root);
  if (!machine) return machine.status();
  auto decision = decide_budget(memory, *machine);
  if (!decision) return decision.status();
  Start start(wait, clock, root);
  const auto now = start.settle(*machine, decision->budget);
  if (!now) return now.status();
  decision->waited = start.waited();
  if (*now && (*now)->bytes < decision->budget)
    if (Status status = shrink(*decision, **now, other_processes(root)); !status.ok()) return status;
  return decision;
}

}  // namespace pinion::host
