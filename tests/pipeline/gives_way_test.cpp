// Jobs that were let in together and no longer fit, because memory was lost: the last of them gives way, whatever
// else goes on.
#include <algorithm>
#include <atomic>
#include <thread>
#include <tuple>

#include "heavy.hpp"

using namespace toy;

namespace {

// A large job, and an urgent one whose partitions take one by one the three workers there are. Then a slab of the large
// one is kept for ever, and the urgent one finds no memory until the large one, most of whose partitions have no
// worker, gives way.
struct TakenWorkers {
  static std::string text(int pause) {
    return config_of("3MiB", "self_test = false\nbackends = [\"toy-backend\"]", "toy-pinned", 1) +
           script("toy-pinned", {"release:1:device_lost"}) +
           script("toy-backend", {"start:*:sleep" + std::to_string(pause)});
  }
  static ProveRequest job(std::uint64_t count, std::size_t ballast, std::uint32_t priority) {
    ProveRequest out = heavy(count, ballast);
    out.fields[1].number = 6;
    out.priority = priority;
    return out;
  }

  // `empty`: there is a third job, the last of them, which holds nothing.
  explicit TakenWorkers(int pause, bool empty = false) : host(text(pause)) {
    Prover& prover = host.prover();
    if (empty) {
      last_client = std::jthread([&] {
        last = prover.prove(job(1000, 0, PINION_PRIORITY_LOW), stop_large.get_token(),
                            [&](const auto& now) { last_at_work = last_at_work || now.stage == "start"; });
      });
      while (!last_at_work && !stop_large.stop_requested()) std::this_thread::yield();
    }
    large_client = std::jthread([&] {
      large = prover.prove(job(125000, 600000, PINION_PRIORITY_NORMAL), stop_large.get_token(),
                           [&](const auto& now) { at_work = at_work || now.stage == "start"; });
    });
    while (!at_work && !stop_large.stop_requested()) std::this_thread::yield();
    urgent_client = std::jthread(
        [&] { urgent = prover.prove(job(137500, 100000, PINION_PRIORITY_HIGH), stop_urgent.get_token()); });
  }
  void join() {
    large_client.join();
    urgent_client.join();
    if (last_client.joinable()) last_client.join();
  }

  Host host;
  std::stop_source stop_large, stop_urgent;
  const Watchdog watchdog_large{stop_large}, watchdog_urgent{stop_urgent};
  std::atomic<bool> at_work{false}, last_at_work{false};
  Result<ProveResult> large = Status(Code::internal, "not run"), urgent = large, last = large;
  std::jthread large_client, urgent_client, last_client;
};

}  // namespace

TEST_CASE("What a lost device keeps while jobs are open does not let them wait for each other for ever") {
  const std::string pinned = "self_test = false\nbackends = [\"toy-backend\"]";
  Host host(config_of("3MiB", pinned, "toy-pinned") + script("toy-pinned", {"release:*:device_lost"}) +
            script("toy-backend", {"start:1:hang"}));
  Prover& prover = host.prover();
  std::stop_source first, late;
  const Watchdog watchdog(late);
  std::vector<Result<ProveResult>> results(2, Status(Code::internal, "not run"));
  {
    std::jthread one([&] { (void)prover.prove(request(1, 130000), first.get_token()); });
    host.wait_for_hang("start");
    std::vector<std::jthread> clients;
    for (std::size_t i = 0; i < results.size(); ++i) {
      clients.emplace_back([&, i] {
        ProveRequest job = heavy(140000, 500000);
        job.priority = i == 0 ? PINION_PRIORITY_NORMAL : PINION_PRIORITY_HIGH;  // to be opened beside the first
        results[i] = prover.prove(std::move(job), late.get_token());
      });
      const auto waits = [&] {
        const auto jobs = prover.snapshot().jobs;
        return jobs.size() == i + 2 && std::any_of(jobs[i + 1].partitions.begin(), jobs[i + 1].partitions.end(),
                                                   [](const auto& k) { return k.state == "claim"; });
      };
      while (!waits() && !late.stop_requested()) std::this_thread::yield();
    }
    first.request_stop();  // its witness stays where it is, and is too small for theirs
  }
  for (const auto& result : results) {
    INFO(result.status().text());
    CHECK(result.ok());
  }
  host.check_all_returned();
}

TEST_CASE("A job gives way although most of its partitions have no worker") {
  TakenWorkers jobs(30);
  jobs.join();
  for (const auto* result : {&jobs.large, &jobs.urgent}) {
    INFO(result->status().text());
    CHECK(result->ok());
  }
  CHECK(jobs.host.log.count(LogLevel::error) == 1);  // without what is kept nobody would have to give way
  jobs.host.check_all_returned();
}

TEST_CASE("Where the last job holds nothing, the one before it gives way as well") {
  TakenWorkers jobs(30, true);
  jobs.join();
  for (const auto* result : {&jobs.large, &jobs.urgent, &jobs.last}) {
    INFO(result->status().text());
    CHECK(result->ok());
  }
  jobs.host.check_all_returned();
}

TEST_CASE("Cancelling at any moment of giving way loses no job and no byte") {
  for (int round = 0; round < 30; ++round) {
    TakenWorkers jobs(3);
    std::this_thread::sleep_for(std::chrono::microseconds(500 * round));
    (round % 2 == 0 ? jobs.stop_large : jobs.stop_urgent).request_stop();
    jobs.join();
    const auto& [cancelled, other] =
        round % 2 == 0 ? std::tie(jobs.large, jobs.urgent) : std::tie(jobs.urgent, jobs.large);
    INFO(round << ": " << cancelled.status().text() << "; " << other.status().text());
    CHECK((cancelled.ok() || cancelled.status().code() == Code::cancelled));
    CHECK(other.ok());
    jobs.host.check_all_returned();
  }
}
