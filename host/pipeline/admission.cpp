#include <algorithm>
#include <condition_variable>
#include <memory>
#include <pinion/host/pipeline/admission.hpp>
#include <utility>

namespace pinion::host {
namespace {

void call_all(const std::vector<Admission::Retry>& retries) {
  for (const auto& retry : retries) retry();
}

}  // namespace

Admitted::~Admitted() {
  if (admission_ != nullptr) admission_->leave(job_);
}

bool Admission::impossible(const Job& job) const {
  const auto sum = checked_add(job.request, job.claim);
  return !sum || *sum > limit(job);
}

// Whether everybody whom the newcomer could keep from its claim still gets it: itself, those already in, but not
// ordinary jobs when the newcomer is critical, because they wait for it anyway.
bool Admission::fits(const Job& newcomer) const {
  if (impossible(newcomer)) return true;
  Bytes requests = newcomer.request;
  std::vector<const Job*> claimants{&newcomer};
  for (const auto& [number, job] : in_) {
    requests += job.request;
    const bool waits_anyway = critical(newcomer.rank) && !critical(job.rank);
    if (!waits_anyway && !impossible(job)) claimants.push_back(&job);
  }
  return std::all_of(claimants.begin(), claimants.end(), [&](const Job* job) {
    const auto sum = checked_add(requests, job->claim);
    return sum && *sum <= limit(*job);
  });
}

std::vector<Admission::Retry> Admission::call_waiting() {
  std::vector<Retry> out;
  for (auto& [rank, retry] : waiting_)
    if (retry) out.push_back(std::exchange(retry, nullptr));
  return out;
}

// Those behind one that has been let in may fit beside it.
void Admission::call_next() {
  std::vector<Retry> next;
  {
    const std::lock_guard lock(mutex_);
    next = call_waiting();
  }
  call_all(next);
}

bool Admission::enter(const Rank& rank, Bytes request, Bytes claim, Retry retry) {
  const std::lock_guard lock(mutex_);
  waiting_.erase(rank);
  const Job newcomer{rank, request, claim};
  const bool its_turn = waiting_.empty() || rank < waiting_.begin()->first;
  if (in_.empty() ? its_turn : its_turn && !crowded_ && fits(newcomer)) {
    in_.emplace(rank.job, newcomer);
    return true;
  }
  waiting_.emplace(rank, std::move(retry));
  return false;
}

std::optional<Admitted> Admission::enter_waiting(const Rank& rank, Bytes request, Bytes claim, std::stop_token stop) {
  // Shared: a late call may come when nobody waits any more.
  struct Turn {
    std::mutex mutex;
    std::condition_variable_any came;
    bool mine = false;
  };
  for (;;) {
    const auto turn = std::make_shared<Turn>();
    const auto call = [turn] {
      const std::lock_guard lock(turn->mutex);
      turn->mine = true;
      turn->came.notify_all();
    };
    if (enter(rank, request, claim, call)) {
      Admitted admitted(this, rank.job);
      call_next();
      return admitted;
    }
    std::unique_lock lock(turn->mutex);
    if (turn->came.wait(lock, stop, [&] { return turn->mine; })) continue;
    lock.unlock();
    leave(rank.job);
    return std::nullopt;
  }
}

bool Admission::confirm(const Rank& rank, Bytes claim, std::function<void()> give_way) {
  std::vector<Retry> next;
  bool confirmed = false;
  {
    const std::lock_guard lock(mutex_);
    const Job entered = in_.extract(rank.job).mapped();
    Job job{rank, entered.request, claim, std::move(give_way)};
    confirmed = in_.empty() || (entered.rank == rank && claim <= entered.claim) || fits(job);
    if (confirmed) in_.emplace(rank.job, std::move(job));
    next = call_waiting();  // the next in line may fit beside it, or in its place
  }
  call_all(next);
  return confirmed;
}

void Admission::make_room() {
  std::function<void()> give_way;
  {
    const std::lock_guard lock(mutex_);
    if (in_.size() < 2) return;  // alone it waits for what nobody in here holds
    const Job* last = nullptr;
    for (const auto& [number, job] : in_)
      if (job.give_way && (last == nullptr || last->rank < job.rank)) last = &job;
    if (last != nullptr) give_way = last->give_way;
  }
  if (give_way) give_way();
}

void Admission::step_aside(const Rank& rank, Retry retry) {
  std::vector<Retry> next;
  {
    const std::lock_guard lock(mutex_);
    in_.erase(rank.job);
    crowded_ = !in_.empty();
    waiting_.emplace(rank, std::move(retry));
    if (!crowded_) next = call_waiting();
  }
  call_all(next);
}

void Admission::wait(const Rank& rank, Retry retry) {
  {
    const std::lock_guard lock(mutex_);
    const bool somebody_will_call = !in_.empty();
    waiting_.emplace(rank, somebody_will_call ? std::exchange(retry, nullptr) : nullptr);
  }
  if (retry) retry();
}

void Admission::leave(std::uint64_t job) {
  std::vector<Retry> next;
  {
    const std::lock_guard lock(mutex_);
    if (in_.erase(job) != 0) crowded_ = false;
    std::erase_if(waiting_, [&](const auto& waiting) { return waiting.first.job == job; });
    next = call_waiting();
  }
  call_all(next);
}

void Admission::recall(std::uint64_t job) {
  Retry retry;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [rank, waiting] : waiting_)
      if (rank.job == job) retry = std::exchange(waiting, nullptr);
  }
  if (retry) retry();
}

}  // namespace pinion::host
