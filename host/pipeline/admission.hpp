// Which jobs may be open at once. An open job holds its request's bytes until it ends, and each of its partitions waits
// for a claim on top of them: jobs that were all let in could hold so much that none of them ever gets its claim. So a
// job is let in only while, beside the bytes of all open requests, the largest claim of each of them still fits. Then
// whoever waits for memory waits for partitions at work, and those never wait.
//
// The largest claim of a job is known once it is open, so it asks twice: enter() before, confirm() after. Who is
// refused gives back what it holds, waits, and is called to ask again: with its claim, so that it is not opened in
// vain. Critical jobs are measured against each other only: their claims go before all others and may spend a reserve.
// What was lost to all since they were let in (slabs that a device keeps) may break the rule: then the last ones give
// way. Whoever else waits for memory among jobs (a proof that is checked, keys that are loaded by hand) is let in like
// one.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/pipeline/rank.hpp>
#include <stop_token>
#include <utility>
#include <vector>

namespace pinion::host {

class Admission;

// Is in until its end, when it holds nothing any more. The Admission it came from outlives it.
class Admitted {
 public:
  Admitted(Admitted&& other) noexcept : admission_(std::exchange(other.admission_, nullptr)), job_(other.job_) {}
  Admitted& operator=(Admitted&&) = delete;
  ~Admitted();

 private:
  friend class Admission;
  Admitted(Admission* admission, std::uint64_t job) noexcept : admission_(admission), job_(job) {}
  Admission* admission_;
  std::uint64_t job_;
};

class Admission {
 public:
  // Called, from any thread, when a refused job should ask again.
  using Retry = std::function<void()>;

  // What claims can be at most: those of ordinary jobs, and those of jobs of at least `critical_priority`.
  Admission(Bytes ordinary_limit, Bytes critical_limit, std::uint32_t critical_priority)
      : ordinary_limit_(ordinary_limit), critical_limit_(critical_limit), critical_priority_(critical_priority) {}

  // Before a job is opened, which charges `request`; `claim` is zero until it is known. True: it is in until leave().
  // False: it waits, as by wait(). A job always enters when no other is in or waits before it, or when it can never be
  // granted what it needs, to be told so. [any]
  bool enter(const Rank& rank, Bytes request, Bytes claim, Retry retry);
  // The same for work that has a thread of its own and is no job: waits until it is in. Nothing: `stop` was requested,
  // and it is not. [worker]
  std::optional<Admitted> enter_waiting(const Rank& rank, Bytes request, Bytes claim, std::stop_token stop);
  // Once it is open, at its final rank: `claim` is its largest partition's. A job that entered with as much stays.
  // False: it is no longer in; once it is closed it should wait(). `give_way`: called, from any thread, when it should
  // leave and wait() again although it has not ended. [any]
  bool confirm(const Rank& rank, Bytes claim, std::function<void()> give_way = {});
  // Those who are in do wait for each other all the same, because memory was lost since they entered: the last of them
  // gives way, unless it is the only one. [any]
  void make_room();
  // It has given way, holds nothing, and waits. Those who are left may still hold too much: nobody enters before one of
  // them has ended, else the same ones came and gave way for ever. [any]
  void step_aside(const Rank& rank, Retry retry);
  // Nobody of a later rank enters before it. [any]
  void wait(const Rank& rank, Retry retry);
  // The job has ended, or need not wait any more; it holds nothing. [any]
  void leave(std::uint64_t job);
  // A waiting job has been cancelled: it is called now. [any]
  void recall(std::uint64_t job);

 private:
  struct Job {
    Rank rank;
    Bytes request, claim;
    std::function<void()> give_way{};
  };
  bool critical(const Rank& rank) const noexcept { return rank.priority >= critical_priority_; }
  Bytes limit(const Job& job) const noexcept { return critical(job.rank) ? critical_limit_ : ordinary_limit_; }
  bool impossible(const Job& job) const;
  bool fits(const Job& newcomer) const;
  std::vector<Retry> call_waiting();
  void call_next();

  const Bytes ordinary_limit_, critical_limit_;
  const std::uint32_t critical_priority_;
  std::mutex mutex_;
  std::map<std::uint64_t, Job> in_;  // by job
  bool crowded_ = false;             // somebody has given way, and nobody ended since
  std::map<Rank, Retry> waiting_;    // empty: called, and about to ask again
};

}  // namespace pinion::host
