// Which jobs are open at once: enough to be busy, never so many that none gets its memory.
#include <algorithm>
#include <atomic>
#include <pinion/host/pipeline/admission.hpp>
#include <thread>

#include "host.hpp"

using namespace toy;

namespace {

constexpr Bytes ordinary(80), everything(100);

struct Gate {
  Admission admission{ordinary, everything, PINION_PRIORITY_CRITICAL};
  std::vector<std::uint64_t> called;

  bool enter(const Rank& rank, std::uint64_t request, std::uint64_t claim = 0) {
    return admission.enter(rank, Bytes(request), Bytes(claim), [this, rank] { called.push_back(rank.job); });
  }
  bool confirm(const Rank& rank, std::uint64_t claim) { return admission.confirm(rank, Bytes(claim)); }
  void wait(const Rank& rank) {
    admission.wait(rank, [this, rank] { called.push_back(rank.job); });
  }
};

constexpr Rank normal(std::uint64_t job) {
  return {PINION_PRIORITY_NORMAL, job, 0};
}
constexpr Rank critical(std::uint64_t job) {
  return {PINION_PRIORITY_CRITICAL, job, 0};
}

}  // namespace

TEST_CASE("admission: a request enters while the largest claim still fits beside all requests") {
  Gate gate;
  REQUIRE(gate.enter(normal(1), 20));
  REQUIRE(gate.confirm(normal(1), 40));
  CHECK(gate.enter(normal(2), 20));
  CHECK_FALSE(gate.enter(normal(3), 1));
  CHECK(gate.called.empty());
  gate.admission.leave(1);
  CHECK(gate.called == std::vector<std::uint64_t>{3});
  CHECK(gate.enter(normal(3), 1));
}

TEST_CASE("admission: a claim that proves too large beside the others lets its job out again") {
  Gate gate;
  REQUIRE(gate.enter(normal(1), 20));
  REQUIRE(gate.confirm(normal(1), 10));
  REQUIRE(gate.enter(normal(2), 20));
  CHECK_FALSE(gate.confirm(normal(2), 41));
  gate.wait(normal(2));
  CHECK(gate.called.empty());
  CHECK_FALSE(gate.enter(normal(3), 1));  // not past the one that waits
  gate.admission.leave(1);
  CHECK(gate.called == std::vector<std::uint64_t>{2, 3});
  CHECK_FALSE(gate.enter(normal(3), 1));  // the earlier one has not come yet
  CHECK(gate.enter(normal(2), 20));
  CHECK(gate.confirm(normal(2), 41));
}

TEST_CASE("admission: alone, a job may fill everything") {
  Gate gate;
  CHECK(gate.enter(normal(1), 40));
  CHECK(gate.confirm(normal(1), 40));
  CHECK_FALSE(gate.enter(normal(2), 1));
}

TEST_CASE("admission: what can never be served is let in at once, to be refused, and keeps nobody out") {
  Gate gate;
  REQUIRE(gate.enter(normal(1), 20));
  REQUIRE(gate.confirm(normal(1), 40));
  REQUIRE(gate.enter(normal(2), 1));
  CHECK(gate.confirm(normal(2), 80));
  CHECK(gate.enter(normal(3), 1));
  gate.admission.leave(2);
  CHECK(gate.enter(normal(4), 81));
}

TEST_CASE("admission: nobody is left waiting when the others went while it closed") {
  Gate gate;
  REQUIRE(gate.enter(normal(1), 20));
  REQUIRE(gate.enter(normal(2), 20));
  REQUIRE_FALSE(gate.confirm(normal(1), 60));
  gate.admission.leave(2);
  gate.wait(normal(1));
  CHECK(gate.called == std::vector<std::uint64_t>{1});
  CHECK(gate.enter(normal(1), 20));
}

TEST_CASE("admission: critical jobs pass those that wait, and are measured by the whole budget") {
  Gate gate;
  REQUIRE(gate.enter(normal(1), 20));
  REQUIRE(gate.confirm(normal(1), 60));
  REQUIRE_FALSE(gate.enter(normal(2), 1));
  CHECK(gate.enter(critical(3), 5));
  CHECK(gate.confirm(critical(3), 75));
  CHECK_FALSE(gate.enter(critical(4), 1));
}

TEST_CASE("admission: who waits and is cancelled is called, and is not called twice") {
  Gate gate;
  REQUIRE(gate.enter(normal(1), 80));
  REQUIRE_FALSE(gate.enter(normal(2), 1));
  gate.admission.recall(2);
  gate.admission.recall(2);
  CHECK(gate.called == std::vector<std::uint64_t>{2});
  gate.admission.leave(2);
  gate.admission.leave(1);
  CHECK(gate.called.size() == 1);
}

TEST_CASE("admission: a known claim is asked for before the request is opened again") {
  Gate gate;
  REQUIRE(gate.enter(normal(1), 20));
  REQUIRE(gate.confirm(normal(1), 10));
  REQUIRE(gate.enter(normal(2), 20));
  REQUIRE_FALSE(gate.confirm(normal(2), 41));
  gate.wait(normal(2));
  CHECK_FALSE(gate.enter(normal(2), 20, 41));
  gate.admission.leave(1);
  REQUIRE(gate.enter(normal(2), 20, 41));
  REQUIRE(gate.enter(critical(3), 30));  // came while it was opened, and ends first in any case
  CHECK(gate.confirm(normal(2), 41));
  CHECK_FALSE(gate.confirm(critical(3), 51));
}

TEST_CASE("admission: a thread of its own waits for its turn, or for the stop") {
  Gate gate;
  REQUIRE(gate.enter(normal(1), 80));
  std::atomic<int> in{0}, out{0};
  std::jthread stopped([&](std::stop_token stop) { out += !gate.admission.enter_waiting(normal(2), Bytes(1), stop); });
  stopped.request_stop();
  stopped.join();
  std::jthread served([&](std::stop_token stop) { in += gate.admission.enter_waiting(normal(3), Bytes(1), stop); });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(in == 0);
  gate.admission.leave(1);
  served.join();
  CHECK(in == 1);
  CHECK(out == 1);
}

namespace {

// A megabyte of request, and a claim of about as much: in 3 MiB two of them could hold everything and wait for each
// other.
ProveRequest heavy(std::uint64_t count = 100000, std::size_t ballast = 700000, std::uint64_t pause = 0) {
  ProveRequest out = request(2, count);
  out.fields.push_back({"pause", pause, {}});
  out.parts.push_back({"ballast", std::vector<std::uint8_t>(ballast)});
  return out;
}
std::string config_of(const std::string& budget, const std::string& backends) {
  return "[memory]\nbudget = \"" + budget +
         "\"\nsafety_margin = \"1MiB\"\n[plugins]\nproofs = [\"toy-proof\"]\nallocator = \"alloc-heap\"\n" + backends +
         "\n[pipeline]\nmax_synthesis = 4\n";
}
const std::string tight = config_of("3MiB", R"(backends = ["toy-backend"])");

// Ends what hangs, so that a test fails and does not hang too.
struct Watchdog {
  explicit Watchdog(std::stop_source& late)
      : thread([late](std::stop_token done) mutable {
          for (int i = 0; i < 200 && !done.stop_requested(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
          late.request_stop();
        }) {}
  std::jthread thread;
};

}  // namespace

TEST_CASE("Jobs whose requests fill the budget do not wait for each other's memory for ever") {
  Host host(tight);
  Prover& prover = host.prover();
  std::vector<Result<ProveResult>> results(6, Status(Code::internal, "not run"));
  std::stop_source late;
  const Watchdog watchdog(late);
  {
    std::vector<std::jthread> clients;
    for (auto& result : results) clients.emplace_back([&] { result = prover.prove(heavy(), late.get_token()); });
  }
  for (const auto& result : results) {
    INFO(result.status().text());
    CHECK(result.ok());
  }
  CHECK(host.space().high_water <= Bytes(3 << 20));
  host.check_all_returned();
}

TEST_CASE("A device that no claim can ever fit does not open the door for all") {
  // With keys on its devices the first backend wants 64 KiB less of the host, which is just what makes it possible.
  for (const std::uint64_t count : {184000, 186000, 188000}) {
    Host host(config_of("3MiB", R"(backends = ["toy-backend", "toy-backend-b"])") +
              "[plugin.toy-backend]\ndevice_memory = \"16MiB\"\n");
    Prover& prover = host.prover();
    std::vector<Result<ProveResult>> results(4, Status(Code::internal, "not run"));
    std::stop_source late;
    const Watchdog watchdog(late);
    {
      std::vector<std::jthread> clients;
      for (auto& result : results)
        clients.emplace_back([&] { result = prover.prove(heavy(count, 1000000, 20), late.get_token()); });
    }
    for (const auto& result : results) {
      INFO(count << ": " << result.status().text());
      CHECK(result.ok());
    }
    host.check_all_returned();
  }
}

TEST_CASE("A job that does not fit is opened again once it does, however many others pass it meanwhile") {
  Host host(tight + "[plugin.toy-proof]\nurgent = true\n" + script("toy-backend", {"finish:1:sleep500"}));
  Prover& prover = host.prover();
  std::atomic<bool> at_work{false}, over{false};
  std::atomic<int> opened{0};
  std::jthread first([&] {
    (void)prover.prove(heavy(60000, 900000), {}, [&](const auto& now) { at_work = at_work || now.stage == "start"; });
    over = true;
  });
  while (!at_work) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  Result<ProveResult> result = Status(Code::internal, "not run");
  std::jthread second([&] {
    result = prover.prove(heavy(150000, 200000), {}, [&](const auto& now) { opened += now.stage == "open"; });
  });
  while (opened == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  auto urgent = request(1, 1000);
  urgent.family = "toy-urgent";
  int passed = 0;
  for (; !over; ++passed) REQUIRE(prover.prove(urgent).ok());
  second.join();
  CHECK(result.ok());
  CHECK(passed > 10);
  CHECK(opened == 2);
}

TEST_CASE("A job that waits to be let in can be cancelled, and a verification waits its turn") {
  const std::string hang = tight + script("toy-backend", {"start:2:hang"});
  Host host(hang);
  Prover& prover = host.prover();
  const auto proof = prover.prove(request(1, 1000));
  REQUIRE(proof.ok());
  std::stop_source first, second;
  Result<ProveResult> running = Status(Code::internal, "not run"), parked = running;
  std::jthread one([&] { running = prover.prove(heavy(), first.get_token()); });
  const auto states = [&] { return prover.snapshot().jobs; };
  // Both of its partitions have their memory once one hangs and the other waits for the device.
  const auto holds_all = [&] {
    const auto jobs = states();
    const auto at_device = [](const auto& k) { return k.state == "start" || k.state == "wait for device"; };
    return jobs.size() == 2 && jobs[1].partitions.size() == 2 &&
           std::all_of(jobs[1].partitions.begin(), jobs[1].partitions.end(), at_device);
  };
  while (!holds_all()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::jthread two([&] { parked = prover.prove(heavy(), second.get_token()); });
  while (states().size() < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  CHECK(states()[2].state == "queued");
  auto big = heavy();
  Status verified(Code::internal, "not run");
  std::jthread three([&] { verified = prover.verify(big, proof->proof); });
  second.request_stop();
  two.join();
  CHECK(parked.status().code() == Code::cancelled);
  first.request_stop();
  one.join();
  three.join();
  CHECK(running.status().code() == Code::cancelled);
  CHECK(verified.code() == Code::proof_invalid);  // of another request, but read
  host.check_all_returned();
}
