// Everything at once: ordinary and critical jobs, faults, cancellations, checks of proofs, loading ahead, eviction and
// readers of the status, under limits that leave just enough. Every job ends as it should, nothing is lost and no byte
// is charged to nobody.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <random>
#include <set>
#include <thread>

#include "host.hpp"

using namespace toy;
using namespace std::chrono_literals;

namespace {

bool ended(const JobStatus& job) {
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
      Bytes listed;
      for (const HoldingStatus& holding : space.holdings) {
        listed += holding.reserved;
        if (over_.contains(holding.owner.job))
          wrong_.push_back(holding.purpose + " of " + holding.owner.text() + " outlives its job");
      }
      for (const ResidentStatus& resident : space.residents) listed += resident.bytes;
      if (listed != space.used || space.used > space.budget)
        wrong_.push_back(space.name + ": " + std::to_string(listed.count()) + " listed, " +
                         std::to_string(space.used.count()) + " used of " + std::to_string(space.budget.count()));
    }
    over_.clear();
    for (const JobStatus& job : now.jobs)
      if (ended(job)) over_.insert(job.id);
  }

  std::set<std::string> over_;
  std::vector<std::string> wrong_;
  std::jthread thread_;
};

struct Case {
  std::string name, pipeline, memory, backend;
  std::vector<std::string> proof_faults{}, backend_faults{};
  bool may_fail = false;
};

// A client's jobs, one after another; which end in something else than they should.
class Client {
 public:
  Client(Prover& prover, unsigned seed, bool may_fail, unsigned jobs)
      : prover_(prover), random_(seed), may_fail_(may_fail), name_(std::to_string(seed)), thread_([this, jobs] {
          for (unsigned i = 0; i < jobs; ++i) run(i);
          done_ = true;
        }) {}
  bool done() const { return done_; }
  std::vector<std::string> wrong() {
    thread_.join();
    return wrong_;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void run(unsigned i) {
    ProveRequest job = request(1 + below(4), 500 + below(60000));
    job.id = "client " + name_ + " job " + std::to_string(i);
    if (below(3) == 0) job.family = "toy-urgent";
    if (below(4) == 0) job.priority = 1 + below(4);
    if (below(3) == 0) job.parts.push_back({"ballast", std::vector<std::uint8_t>(below(300000))});
    if (below(8) == 0) job.params_dir = "/elsewhere/" + std::to_string(below(3));
    const bool too_large = below(12) == 0;
    if (too_large) job.fields[2].number = 1 << 20;
    if (below(10) == 0) (void)prover_.evict(SpaceId::host(), Bytes(UINT64_MAX));
    if (below(10) == 0) (void)prover_.preload(below(2) == 0 ? "toy-1k" : "toy-urgent-1k", job.params_dir);
    std::stop_source stop;
    std::jthread canceller;
    const bool cancels = below(4) == 0;
    if (cancels)
      canceller = std::jthread([&stop, wait = std::chrono::microseconds(below(8000))] {
        std::this_thread::sleep_for(wait);
        stop.request_stop();
      });
    const auto result = prover_.prove(job, stop.get_token());
    const Code code = result.status().code();
    const bool as_it_should = too_large ? code == Code::over_budget : result.ok();
    const bool faulty = code == Code::out_of_memory || code == Code::internal || code == Code::proof_invalid;
    const bool expected = as_it_should || (cancels && code == Code::cancelled) || (may_fail_ && faulty);
    if (!expected) wrong_.push_back(job.id + ": " + result.status().text());
    if (result.ok() && below(4) == 0)
      if (const Status sound = prover_.verify(job, result->proof); !sound.ok() && !may_fail_)
        wrong_.push_back(job.id + ", checked again: " + sound.text());
  }

  Prover& prover_;
  std::mt19937 random_;
  const bool may_fail_;
  const std::string name_;
  std::atomic<bool> done_{false};
  std::vector<std::string> wrong_;
  std::jthread thread_;
};

std::string config_of(const Case& traffic) {
  return "[memory]\nsafety_margin = \"1MiB\"\n" + traffic.memory +
         "[plugins]\nproofs = [\"toy-proof\"]\nallocator = \"alloc-heap\"\nbackends = [\"toy-backend\"]\n[pipeline]\n" +
         traffic.pipeline + script("toy-proof", traffic.proof_faults, "urgent = true") +
         script("toy-backend", traffic.backend_faults, traffic.backend);
}

const std::string all_but_never = "evict_min_idle = \"0s\"\n";

const std::vector<Case> cases = {
    {"one of everything", "max_synthesis = 1\nthreads = 1\n", "budget = \"2MiB\"\n", ""},
    {"memory for one", "max_synthesis = 8\nthreads = 2\n",
     "budget = \"1600KiB\"\ncritical_reserve = \"300KiB\"\n" + all_but_never, ""},
    {"devices with memory for one", "max_synthesis = 4\n", "budget = \"4MiB\"\n",
     "devices = 3\ndevice_memory = \"1500KiB\"\nderived = true\n"},
    {"many starts", "max_synthesis = 16\n", "budget = \"8MiB\"\n", "devices = 2\nstarts_in_flight = 4\n"},
    {"faults",
     "max_synthesis = 4\nretries = 3\n",
     "budget = \"4MiB\"\n" + all_but_never,
     "devices = 2\n",
     {"open:7:internal", "plan:9:throw", "synthesize:5:out_of_memory", "load:3:internal", "verify:4:internal",
      "synthesize:11:leak", "assemble:6:throw"},
     {"start:9:out_of_memory", "finish:13:internal", "load:2:out_of_memory", "start:21:flip", "finish:30:throw",
      "start:31:leak"},
     true},
};

// Who waits for what, and who holds it.
std::string stuck(const Snapshot& now) {
  std::string text;
  for (const JobStatus& job : now.jobs) {
    if (ended(job)) continue;
    text += "\n" + job.id + " " + job.kind + " " + job.state;
    for (const auto& part : job.partitions) text += " " + std::to_string(part.index) + ":" + part.state;
  }
  for (const SpaceStatus& space : now.spaces) {
    for (const auto& claim : space.waiting)
      text += "\n" + claim.owner.text() + " waits for " + std::to_string(claim.bytes.count()) + " of " + space.name;
    for (const auto& holding : space.holdings)
      text += "\n" + holding.owner.text() + " holds " + std::to_string(holding.reserved.count()) + " of " + space.name;
  }
  return text;
}

void run(const Case& traffic) {
  Host host(config_of(traffic));
  Prover& prover = host.prover();
  Reader reader(prover);
  // SEED=N: another run, and a longer one.
  const char* given = std::getenv("SEED");
  const unsigned seed = given ? static_cast<unsigned>(std::stoul(given)) : 0, jobs = given ? 120 : 25;
  std::vector<std::unique_ptr<Client>> clients;
  for (unsigned i = 0; i < 10; ++i)
    clients.push_back(std::make_unique<Client>(prover, seed * 100 + i, traffic.may_fail, jobs));
  const auto all_done = [&] {
    return std::all_of(clients.begin(), clients.end(), [](const auto& client) { return client->done(); });
  };
  const auto late = std::chrono::steady_clock::now() + 60s;
  while (!all_done() && std::chrono::steady_clock::now() < late) std::this_thread::sleep_for(5ms);
  if (!all_done()) FAIL("nothing moves:" + stuck(prover.snapshot()));
  for (auto& client : clients)
    for (const std::string& wrong : client->wrong()) FAIL_CHECK(wrong);
  for (const std::string& wrong : reader.finish()) FAIL_CHECK(wrong);
  for (const SpaceStatus& space : prover.snapshot().spaces) CHECK(space.high_water <= space.budget);
  host.check_all_returned();
}

}  // namespace

TEST_CASE("Mixed traffic under limits that leave just enough") {
  for (const Case& traffic : cases) {
    INFO(traffic.name);
    run(traffic);
  }
}
