// Jobs that end before their turn, and names that two want: neither waits for what others do.
#include <algorithm>
#include <atomic>
#include <thread>

#include "host.hpp"

using namespace toy;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

// A job of its own thread.
class Client {
 public:
  Client(Prover& prover, ProveRequest job)
      : thread_([this, &prover, job = std::move(job)](std::stop_token) {
          result_ = prover.prove(job, stop_.get_token());
          over_ = true;
        }) {}
  ~Client() { cancel(); }
  void cancel() { stop_.request_stop(); }
  bool ends_within(std::chrono::milliseconds time) const {
    const auto end = std::chrono::steady_clock::now() + time;
    while (!over_ && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    return over_;
  }
  const Result<ProveResult>& result() const { return result_; }

 private:
  std::stop_source stop_;
  std::atomic<bool> over_{false};
  Result<ProveResult> result_ = Status(Code::internal, "not run");
  std::jthread thread_;
};

// Every worker that takes ordinary jobs holds one that does not end by itself.
struct Occupied {
  explicit Occupied(Host& host) {
    for (int i = 0; i < 6; ++i) clients.push_back(std::make_unique<Client>(host.prover(), request(2, 1000)));
    const auto busy = [&] {
      std::size_t partitions = 0;
      for (const JobStatus& job : host.prover().snapshot().jobs)
        for (const auto& k : job.partitions) partitions += k.state == "start" || k.state == "wait for device";
      return partitions;
    };
    while (busy() < 3) std::this_thread::sleep_for(1ms);  // max_synthesis + 2 starts
  }
  std::vector<std::unique_ptr<Client>> clients;
};

const std::string hanging = config(script("toy-backend", {"start:*:hang"}));

}  // namespace

TEST_CASE("A cancelled job that waits for a worker ends at once, however long the others take") {
  Host host(hanging);
  {
    const Occupied occupied(host);
    Client waiting(host.prover(), request(3, 1000));
    std::this_thread::sleep_for(20ms);
    waiting.cancel();
    CHECK(waiting.ends_within(2s));
    CHECK(waiting.result().status().code() == Code::cancelled);
    for (std::size_t i = occupied.clients.size(); i-- > 0;) {  // half open, or with a partition in the queue
      occupied.clients[i]->cancel();
      CHECK(occupied.clients[i]->ends_within(2s));
    }
  }
  host.check_all_returned();
}

TEST_CASE("Cancelling at any moment loses no job and no byte") {
  Host host(config("[pipeline]\nmax_synthesis = 1\nthreads = 1\n[plugin.toy-proof]\nurgent = true\n"));
  for (int round = 0; round < 60; ++round) {
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 8; ++i) {
      auto job = request(1 + static_cast<unsigned>(i % 3), 3000);
      if (i % 4 == 0) job.family = "toy-urgent";
      clients.push_back(std::make_unique<Client>(host.prover(), job));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(round * 100));
    for (std::size_t i = 0; i < clients.size(); i += 2) clients[i]->cancel();
    for (std::size_t i = 0; i < clients.size(); ++i) {
      REQUIRE(clients[i]->ends_within(10s));
      const Status& status = clients[i]->result().status();
      INFO(status.text());
      CHECK((status.ok() || (i % 2 == 0 && status.code() == Code::cancelled)));
    }
  }
  host.check_all_returned();
}

TEST_CASE("A name that is made up is never one that a client chose") {
  Host host(config(script("toy-backend", {"finish:1:hang"})));
  auto named = request(1, 1000);
  named.id = "job-2";
  Client chosen(host.prover(), named);
  host.wait_for_hang("finish");
  const auto made_up = host.prover().prove(request(1, 1000));
  INFO(made_up.status().text());
  REQUIRE(made_up.ok());
  CHECK(made_up->job == "job-3");
  CHECK_THAT(host.prover().prove(named).status().message(), Contains("\"job-2\" is running already"));
}

TEST_CASE("A priority that there is not is refused") {
  Host host;
  auto job = request(1, 1000);
  for (const std::uint32_t priority : {5u, UINT32_MAX}) {
    job.priority = priority;
    const Status status = host.prover().prove(job).status();
    CHECK(status.code() == Code::invalid_input);
    CHECK_THAT(status.message(), Contains(std::to_string(priority)) && Contains("from 1 to 4"));
  }
  job.priority = PINION_PRIORITY_CRITICAL;
  CHECK(host.prover().prove(job).ok());
}

TEST_CASE("A host that goes in the midst of everything ends every job, and waits for none that waits") {
  for (int round = 0; round < 12; ++round) {
    Host host(config("[pipeline]\nmax_synthesis = 2\n[params]\npreload = [\"toy-urgent-1k\"]\n" +
                     script("toy-proof", {"open:5:sleep", "load:2:sleep", "verify:3:sleep"}, "urgent = true") +
                     script("toy-backend", {"start:4:hang", "start:9+:sleep2", "finish:6:hang", "finish:7:flip"})));
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 24; ++i) {
      auto job = request(1 + static_cast<unsigned>(i % 3), 3000);
      if (i % 3 == 0) job.family = "toy-urgent";
      clients.push_back(std::make_unique<Client>(host.prover(), job));
    }
    const auto begun = [&] {
      const auto jobs = host.prover().snapshot().jobs;
      return std::count_if(jobs.begin(), jobs.end(), [](const auto& job) { return job.id.starts_with("job-"); });
    };
    while (begun() < 24) std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(10ms + std::chrono::milliseconds(round * 3));
    host.opened = Status(Code::cancelled, "closed");
    for (const auto& client : clients) {
      REQUIRE(client->ends_within(10s));
      INFO(client->result().status().text());
      CHECK((client->result().ok() || client->result().status().code() == Code::cancelled));
    }
  }
}

TEST_CASE("Critical jobs share what there is in the order in which they came, however many") {
  Host host(config(script("toy-proof", {}, "urgent = true") + script("toy-backend", {"start:*:sleep5"})));
  Prover& prover = host.prover();
  std::mutex mutex;
  std::vector<std::string> started;
  std::vector<std::jthread> clients;
  for (int i = 0; i < 40; ++i) {  // more than there are workers for them
    auto job = request(1, 1000);
    job.id = std::to_string(i);
    job.family = i % 2 == 0 ? "toy-urgent" : "toy";  // by its kind, or because its client says so
    job.priority = i % 2 == 0 ? 0 : PINION_PRIORITY_CRITICAL;
    clients.emplace_back([&, job] {
      (void)prover.prove(job, {}, [&](const ProveProgress& now) {
        const std::lock_guard lock(mutex);
        if (now.stage == "start" && (started.empty() || started.back() != now.job)) started.push_back(now.job);
      });
    });
    while (prover.snapshot().jobs.size() <= static_cast<std::size_t>(i)) std::this_thread::sleep_for(100us);
  }
  clients.clear();
  REQUIRE(started.size() == 40);
  // Those at work with their synthesis may pass one another, and no more.
  std::size_t most = 0;
  for (std::size_t i = 0; i < started.size(); ++i) {
    const std::size_t number = std::stoul(started[i]);
    most = std::max(most, number > i ? number - i : i - number);
  }
  CHECK(most <= 8);
  host.check_all_returned();
}
