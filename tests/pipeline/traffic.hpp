// Clients of a host that all do everything at once, and what must hold whatever they do: every job ends as it should,
// nobody waits for ever, and the status agrees with itself at any instant.
#pragma once

#include <atomic>
#include <condition_variable>
#include <optional>
#include <random>
#include <set>

#include "host.hpp"

namespace toy {

inline bool ended(const JobStatus& job) {
  return job.state == "completed" || job.state == "failed" || job.state == "cancelled";
}

// Reads the status over and over: used bytes are those of what is listed, at most the budget, and of jobs at work.
class Reader {
 public:
  explicit Reader(Prover& prover)
      : thread_([this, &prover](std::stop_token stop) {
          while (!stop.stop_requested()) look(prover.snapshot());
        }) {}
  std::vector<std::string> finish() {
    thread_.request_stop();
    thread_.join();
    return wrong_;
  }

 private:
  void look(const Snapshot& now) {
    for (const SpaceStatus& space : now.spaces) {
      Bytes listed, idle, pinned;
      for (const HoldingStatus& holding : space.holdings) {
        listed += holding.reserved;
        if (holding.state == "idle" || holding.state == "stuck") idle += holding.reserved;
        if (holding.kind == "pinned") pinned += holding.reserved;
        if (over_.contains(holding.owner.job))
          wrong_.push_back(holding.purpose + " of " + holding.owner.text() + " outlives its job");
      }
      for (const ResidentStatus& resident : space.residents) listed += resident.bytes;
      if (listed != space.used || space.used > space.budget || space.used > space.high_water)
        wrong_.push_back(space.name + ": " + std::to_string(listed.count()) + " listed, " +
                         std::to_string(space.used.count()) + " used of " + std::to_string(space.budget.count()));
      if (space.idle > idle || pinned > space.pinned.used || space.pinned.used > space.pinned.limit)
        wrong_.push_back(space.name + ": " + std::to_string(idle.count()) + " listed as idle, " +
                         std::to_string(space.idle.count()) + " in all; page-locked: " +
                         std::to_string(pinned.count()) + " of " + std::to_string(space.pinned.used.count()));
    }
    over_.clear();
    for (const JobStatus& job : now.jobs)
      if (ended(job)) over_.insert(job.id);
  }

  std::set<std::string> over_;
  std::vector<std::string> wrong_;
  std::jthread thread_;
};

// Requests a stop after a time, unless it goes out of scope first.
class StopAfter {
 public:
  StopAfter(std::stop_source stop, std::chrono::microseconds time)
      : thread_([this, stop, time](std::stop_token over) mutable {
          std::unique_lock lock(mutex_);
          if (!never_.wait_for(lock, over, time, [] { return false; }) && !over.stop_requested()) stop.request_stop();
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any never_;
  std::jthread thread_;
};

// What clients do.
struct Manners {
  unsigned jobs = 25;
  std::uint64_t most_partitions = 4, most_count = 60000, most_ballast = 300000;
  std::uint64_t too_large = 1 << 20;  // a count that fits nowhere
  std::set<Code> faults{};            // codes that a job may end with by what is scripted
  bool impatient = false;             // what hangs is scripted too: everything is cancelled after a while
  std::vector<std::string> params_dirs{"/elsewhere/0", "/elsewhere/1", "/elsewhere/2"};  // beside the usual one
};

// Jobs one after another, with checks, loading ahead and eviction between them; which end in something else than they
// should.
class Client {
 public:
  Client(Prover& prover, unsigned seed, const Manners& manners, std::stop_token all)
      : prover_(prover),
        random_(seed),
        manners_(manners),
        name_(std::to_string(seed)),
        all_(std::move(all)),
        thread_([this] {
          for (unsigned i = 0; i < manners_.jobs && !all_.stop_requested(); ++i) run(i);
          done_ = true;
        }) {}
  bool done() const { return done_; }
  std::vector<std::string> wrong() {
    thread_.join();
    return wrong_;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  void expect(const std::string& what, const Status& status, Code best, bool may_be_cancelled) {
    const Code code = status.code();
    if (code == best || manners_.faults.contains(code) || (may_be_cancelled && code == Code::cancelled)) return;
    wrong_.push_back(what + ": " + status.text());
  }

  void run(unsigned i) {
    std::stop_source stop;
    const std::stop_callback all(all_, [&] { stop.request_stop(); });
    ProveRequest job = request(1 + below(manners_.most_partitions), 500 + below(manners_.most_count));
    job.id = "client " + name_ + " job " + std::to_string(i);
    if (one_in(3)) job.family = "toy-urgent";
    if (one_in(4)) job.priority = 1 + static_cast<std::uint32_t>(below(4));
    if (one_in(3)) job.parts.push_back({"ballast", std::vector<std::uint8_t>(below(manners_.most_ballast))});
    if (one_in(8)) job.params_dir = manners_.params_dirs[below(manners_.params_dirs.size())];
    const bool too_large = one_in(12);
    if (too_large) job.fields[2].number = manners_.too_large;
    std::optional<StopAfter> canceller;
    const bool cancels = one_in(4) || manners_.impatient;
    if (cancels) canceller.emplace(stop, std::chrono::microseconds(manners_.impatient ? below(300000) : below(8000)));
    by_hand(job.params_dir, stop.get_token());
    const auto result = prover_.prove(job, stop.get_token());
    expect(job.id, result.status(), too_large ? Code::over_budget : Code::ok, cancels);
    if (result.ok() && one_in(4))
      expect(job.id + ", checked again", prover_.verify(job, result->proof, stop.get_token()), Code::ok, cancels);
  }

  // What an operator may do meanwhile.
  void by_hand(const std::string& params_dir, const std::stop_token& stop) {
    if (one_in(10)) (void)prover_.evict(SpaceId::host(), Bytes(UINT64_MAX));
    if (one_in(10)) (void)prover_.evict(SpaceId::device(static_cast<std::uint32_t>(below(3))), Bytes(below(1 << 20)));
    if (one_in(10)) {
      const std::vector<SpaceStatus> spaces = prover_.snapshot().spaces;
      const std::size_t i = below(spaces.size());
      const auto& there = spaces[i].residents;
      const SpaceId space = i == 0 ? SpaceId::host() : SpaceId::device(static_cast<std::uint32_t>(i - 1));
      if (!there.empty()) (void)prover_.evict(space, there[below(there.size())].id);
    }
    if (one_in(10)) (void)prover_.preload(one_in(2) ? "toy-1k" : "toy-urgent-1k", params_dir, stop);
  }

  Prover& prover_;
  std::mt19937 random_;
  const Manners manners_;
  const std::string name_;
  const std::stop_token all_;
  std::atomic<bool> done_{false};
  std::vector<std::string> wrong_;
  std::jthread thread_;
};

// Who waits for what, and who holds it.
inline std::string who_waits(const Snapshot& now) {
  std::string text;
  for (const JobStatus& job : now.jobs) {
    if (ended(job)) continue;
    text += "\n" + job.id + " " + job.kind + " " + job.state;
    for (const auto& part : job.partitions) text += " " + std::to_string(part.index) + ":" + part.state;
  }
  for (const SpaceStatus& space : now.spaces) {
    text +=
        "\n" + space.name + ": " + std::to_string(space.used.count()) + " of " + std::to_string(space.budget.count());
    for (const auto& claim : space.waiting)
      text += "\n" + claim.owner.text() + " waits for " + std::to_string(claim.bytes.count()) + " of " + space.name;
    for (const auto& holding : space.holdings)
      text += "\n" + holding.owner.text() + " holds " + std::to_string(holding.reserved.count()) + " of " + space.name +
              " (" + holding.purpose + ")";
    for (const auto& resident : space.residents)
      text += "\n" + resident.id + " " + resident.state + " " + std::to_string(resident.bytes.count()) + " users " +
              std::to_string(resident.users);
  }
  for (const DeviceStatus& device : now.devices) text += "\n" + device.label + " " + device.reason;
  return text;
}

// Lets clients loose on a host; what was wrong. With the first thing that waits for ever it cancels everything.
inline std::vector<std::string> traffic(Host& host, unsigned seed, unsigned clients, const Manners& manners) {
  Prover& prover = host.prover();
  std::vector<std::string> wrong;
  std::stop_source all;
  Reader reader(prover);
  std::vector<std::unique_ptr<Client>> them;
  for (unsigned i = 0; i < clients; ++i)
    them.push_back(std::make_unique<Client>(prover, seed * 100 + i, manners, all.get_token()));
  const auto all_done = [&] {
    return std::all_of(them.begin(), them.end(), [](const auto& client) { return client->done(); });
  };
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!all_done() && std::chrono::steady_clock::now() < late)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (!all_done()) wrong.push_back("nothing moves:" + who_waits(prover.snapshot()));
  if (!all_done()) all.request_stop();
  for (auto& client : them)
    for (const std::string& one : client->wrong()) wrong.push_back(one);
  for (const std::string& one : reader.finish()) wrong.push_back(one);
  for (const SpaceStatus& space : prover.snapshot().spaces)
    if (space.high_water > space.budget) wrong.push_back(space.name + " was above its budget");
  return wrong;
}

}  // namespace toy
