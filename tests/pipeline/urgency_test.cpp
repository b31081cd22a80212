// A job of a critical kind passes every queue. What is measured is the time from its submission to the start of its
// device step, while ordinary jobs saturate one of the things it could have to wait for.
#include <algorithm>
#include <atomic>
#include <thread>

#include "host.hpp"

using namespace toy;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t submissions = 100;  // enough for a p99
constexpr auto allowance = 200ms;         // on top of one device step of an ordinary partition

std::string traffic(const std::string& budget, const std::string& reserve, unsigned syntheses,
                    const std::vector<std::string>& backend, const std::string& min_idle = "5m",
                    const std::string& devices = "") {
  return "[memory]\nbudget = \"" + budget + "\"\nsafety_margin = \"1MiB\"\ncritical_reserve = \"" + reserve +
         "\"\nevict_min_idle = \"" + min_idle +
         "\"\n[plugins]\nproofs = [\"toy-proof\"]\nallocator = \"alloc-heap\"\nbackends = [\"toy-backend\"]\n"
         "[pipeline]\nmax_synthesis = " +
         std::to_string(syntheses) + "\n[plugin.toy-proof]\nurgent = true\n" + script("toy-backend", backend, devices);
}

ProveRequest ordinary(std::uint64_t partitions, std::uint64_t count, std::uint64_t pause) {
  ProveRequest out = request(partitions, count);
  out.fields.push_back({"pause", pause, {}});
  return out;
}

// Ordinary jobs, one after another in each of `clients` threads, until it goes out of scope.
class Saturation {
 public:
  Saturation(Prover& prover, unsigned clients, const ProveRequest& job) {
    for (unsigned i = 0; i < clients; ++i)
      clients_.emplace_back([&prover, job, this](std::stop_token stop) {
        while (!stop.stop_requested()) {
          const auto result = prover.prove(job, stop, [this](const ProveProgress& now) {
            if (now.stage == "start") ++starts_;
          });
          if (!result.ok() && result.status().code() != Code::cancelled) ++failures_;
        }
      });
    while (starts_ < 4) std::this_thread::sleep_for(1ms);
  }
  unsigned starts() const { return starts_; }
  unsigned failures() const { return failures_; }

 private:
  std::atomic<unsigned> starts_{0}, failures_{0};
  std::vector<std::jthread> clients_;
};

// From its submission to its device step.
Result<std::chrono::nanoseconds> measured_start(Prover& prover, ProveRequest job) {
  const auto submitted = std::chrono::steady_clock::now();
  Result<std::chrono::nanoseconds> wait(Status(Code::internal, "no device step"));
  const auto result = prover.prove(std::move(job), {}, [&](const ProveProgress& now) {
    if (now.stage == "start" && !wait.ok()) wait = std::chrono::steady_clock::now() - submitted;
  });
  return result.ok() ? wait : result.status();
}

std::chrono::nanoseconds start_of(Prover& prover, ProveRequest job) {
  const auto wait = measured_start(prover, std::move(job));
  INFO(wait.status().text());
  REQUIRE(wait.ok());
  return *wait;
}

ProveRequest urgent_job() {
  ProveRequest job = request(1, 1000);
  job.family = "toy-urgent";
  return job;
}

// The 99th percentile, the largest but one of a hundred.
std::chrono::nanoseconds p99_start(Prover& prover) {
  std::vector<std::chrono::nanoseconds> waits;
  for (std::size_t i = 0; i < submissions; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(i % 10));  // at any moment of what the others do
    waits.push_back(start_of(prover, urgent_job()));
  }
  std::sort(waits.begin(), waits.end());
  return waits[submissions * 99 / 100 - 1];
}

void check_p99(Host& host, unsigned clients, const ProveRequest& job, std::chrono::milliseconds device_step) {
  std::chrono::nanoseconds p99{};
  {
    const Saturation saturation(host.prover(), clients, job);
    p99 = p99_start(host.prover());
    for (const unsigned before = saturation.starts(); saturation.starts() == before;) std::this_thread::sleep_for(1ms);
    CHECK(saturation.failures() == 0);
  }
  INFO("p99 from submission to device step: " << p99.count() / 1000 << " us");
  CHECK(p99 <= device_step + allowance);
  for (const SpaceStatus& space : host.prover().snapshot().spaces) CHECK(space.high_water <= space.budget);
  host.check_all_returned();
}

}  // namespace

TEST_CASE("A critical kind waits for one device step at most, however many wait for the device") {
  // Two dozen partitions with their witness ready: half a second of queue.
  Host host(traffic("16MiB", "1MiB", 24, {"start:*:sleep20"}));
  check_p99(host, 3, ordinary(40, 2000, 0), 20ms);
}

TEST_CASE("A critical kind waits for no slot of synthesis and no worker") {
  Host host(traffic("16MiB", "1MiB", 1, {}));
  check_p99(host, 6, ordinary(10, 2000, 500), 0ms);
}

TEST_CASE("Critical jobs that come together do not wait for each other's end, nor for that of others") {
  Host host(traffic("16MiB", "1MiB", 2, {"finish:*:sleep1500"}));
  std::vector<Result<std::chrono::nanoseconds>> waits(6, Status(Code::internal, "not run"));
  {
    Prover& prover = host.prover();
    const Saturation saturation(prover, 3, ordinary(40, 2000, 0));  // every worker for all is at an end
    std::vector<std::jthread> clients;
    for (auto& wait : waits) clients.emplace_back([&] { wait = measured_start(prover, urgent_job()); });
  }
  for (const auto& wait : waits) {
    INFO(wait.status().text());
    REQUIRE(wait.ok());
    CHECK(*wait <= allowance);
  }
}

TEST_CASE("A critical kind's keys stay loaded while others come and go") {
  // Loading takes longer than is allowed, and there is room for a few keys only: whatever may go has to.
  Host host(traffic("2MiB", "256KiB", 4, {"load:*:sleep250"}, "0s"));
  ProveRequest job = urgent_job();
  job.params_dir = "/urgent";
  Prover& prover = host.prover();
  REQUIRE(prover.prove(job).ok());
  std::vector<std::jthread> clients;
  for (int client = 0; client < 6; ++client)
    clients.emplace_back([&prover, client](std::stop_token stop) {
      for (int i = 0; !stop.stop_requested(); ++i) {
        ProveRequest other = request(1, 10000);
        other.params_dir = "/keys/" + std::to_string(client) + "/" + std::to_string(i % 4);
        (void)prover.prove(std::move(other), stop);
      }
    });
  const auto dropped = [&] { return host.space().evicted_residents; };
  for (int i = 0; i < 5; ++i) {
    for (const auto before = dropped(); dropped() < before + 10;) std::this_thread::sleep_for(1ms);
    CHECK(start_of(prover, job) <= allowance);
  }
}

TEST_CASE("A critical kind waits for no memory") {
  // Three such partitions leave less of the whole budget than the critical one needs, and hold it for half a second.
  Host host(traffic("3MiB", "512KiB", 4, {}));
  check_p99(host, 6, ordinary(10, 116000, 500), 0ms);
}

TEST_CASE("A critical kind waits for no memory of a device") {
  // An arena takes 1 MiB: sixteen ordinary partitions fill the device, and hold it for half a second. The keys fit
  // beside.
  Host host(traffic("64MiB", "2MiB", 24, {}, "5m", "device_memory = \"18MiB\"\n"));
  REQUIRE(host.prover().prove(urgent_job()).ok());
  check_p99(host, 4, ordinary(10, 2000, 500), 0ms);
}
