// Open jobs and their memory: nobody waits for ever for what those hold who wait behind him, and everybody gets his
// turn.
#include <algorithm>
#include <atomic>
#include <thread>

#include "heavy.hpp"

using namespace toy;

namespace {

const std::string tight = config_of("3MiB", R"(backends = ["toy-backend"])");

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

TEST_CASE("Keys that are loaded by hand do not wait for ever for the request of a job that waits behind them") {
  Host host(tight + "[plugin.toy-proof]\nurgent = true\nurgent_keys = \"1500KiB\"\n");
  Prover& prover = host.prover();
  std::stop_source late;
  const Watchdog watchdog(late);
  Result<ProveResult> result = Status(Code::internal, "not run");
  std::atomic<bool> at_work{false};
  std::jthread client([&] {
    ProveRequest job = heavy(10000, 1400000, 10);
    job.fields[1].number = 20;  // partitions: some still want memory when the keys do
    result = prover.prove(std::move(job), late.get_token(),
                          [&](const auto& now) { at_work = at_work || now.stage == "start"; });
  });
  while (!at_work && !late.stop_requested()) std::this_thread::yield();
  const Status loaded = prover.preload("toy-urgent-1k", "/nowhere", late.get_token());
  INFO(loaded.text());
  CHECK(loaded.ok());
  client.join();
  INFO(result.status().text());
  CHECK(result.ok());
  host.check_all_returned();
}

TEST_CASE("A proof is checked when it is its turn, however many jobs come after it") {
  Host host(tight);
  Prover& prover = host.prover();
  const auto proof = prover.prove(heavy(10000));
  REQUIRE(proof.ok());
  std::atomic<bool> over{false};
  std::atomic<int> proved{0};
  std::vector<std::jthread> clients;
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&] {
      while (!over && proved < 100) proved += prover.prove(heavy(10000, 1200000, 5)).ok();
    });
  while (proved < 4) std::this_thread::yield();
  const int before = proved;
  const Status sound = prover.verify(heavy(10000), proof->proof);
  const int passed = proved - before;
  over = true;
  clients.clear();
  INFO(sound.text());
  CHECK(sound.ok());
  CHECK(passed < 20);
  host.check_all_returned();
}

TEST_CASE("What is to be kept beside all work waits for the jobs that would not fit beside it") {
  Host host(tight + script("toy-backend", {"start:*:sleep2"}));
  Prover& prover = host.prover();
  std::stop_source late;
  const Watchdog watchdog(late);
  for (const std::uint64_t bytes : {2000000, 2400000}) {  // beside the request there is room for the claims, or not
    std::atomic<bool> at_work{false};
    Result<ProveResult> result = Status(Code::internal, "not run");
    std::jthread client([&] {
      ProveRequest job = heavy(30000, 600000);
      job.fields[1].number = 80;  // far more than may overtake
      result = prover.prove(std::move(job), late.get_token(),
                            [&](const auto& now) { at_work = at_work || now.stage == "start"; });
    });
    while (!at_work && !late.stop_requested()) std::this_thread::yield();
    const auto kept = prover.reserve({"load", std::nullopt, ""}, Bytes(bytes), "load generator");
    client.join();
    INFO(result.status().text());
    CHECK(result.ok());
    CHECK(kept.ok());
  }
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
