// Strikes, quarantine and choice, with a clock that the test moves.
#include "host.hpp"

using namespace toy;
using Catch::Contains;

namespace {

// The devices of a real registry of two toy backends with two devices each.
struct Fixture {
  Host host{config("[plugin.toy-backend]\ndevices = 2\nstarts_in_flight = 2\n[plugin.toy-backend-b]\ndevices = 2",
                   "allocator = \"alloc-heap\"\nbackends = [\"toy-backend\", \"toy-backend-b\"]")};
  MemoryLog log;
  ManualClock clock;
  Metrics metrics;
  Devices devices{host.prover().registry().backends(), clock, log, metrics};
  const std::vector<std::uint32_t> all{0, 1, 2, 3};

  std::optional<std::uint32_t> next(const std::set<std::uint32_t>& avoid = {}) {
    auto use = devices.choose(all, avoid);
    if (!use) return std::nullopt;
    const std::uint32_t number = use->device().number;
    held.push_back(std::move(*use));
    return number;
  }
  std::vector<DeviceUse> held;
};

}  // namespace

TEST_CASE("Work goes to the least busy device of the first backend that has one") {
  Fixture f;
  REQUIRE(f.devices.all().size() == 4);
  CHECK(f.devices.all()[3].local == 1);
  CHECK(f.devices.all()[3].first == 2);
  CHECK(f.next() == 0u);
  CHECK(f.next() == 1u);
  CHECK(f.next() == 0u);
  f.held.erase(f.held.begin());  // one use of device 0
  f.held.erase(f.held.begin() + 1);
  CHECK(f.next() == 0u);
  CHECK(f.next({0, 1}) == 2u);        // what is avoided makes way for a later backend
  CHECK(f.next({0, 1, 2, 3}) == 0u);  // better again than never
}

TEST_CASE("Three strikes within an hour, and no fewer, quarantine a device") {
  Fixture f;
  f.devices.strike(0, "first");
  f.devices.strike(0, "second");
  f.clock.advance(std::chrono::minutes(61));
  f.devices.strike(0, "third, too late");
  f.devices.strike(0, "fourth");
  CHECK(f.devices.status()[0].usable);
  f.clock.advance(std::chrono::minutes(59));
  f.devices.strike(0, "fifth");
  CHECK_FALSE(f.devices.status()[0].usable);
  CHECK(f.devices.status()[0].self_check_failures == 5);
  CHECK(f.next() == 1u);
  CHECK(f.log.count(LogLevel::error) == 1);
  CHECK(f.metrics.counter("pinion_self_check_failures_total", "", {{"device", "toy-backend device 0 (toy device)"}})
            .value() == 5);
}

TEST_CASE("Nothing is chosen when every device is quarantined, and each reason is told") {
  Fixture f;
  for (std::uint32_t number = 0; number < 4; ++number) f.devices.quarantine(number, "reason " + std::to_string(number));
  f.devices.quarantine(0, "a later reason");
  CHECK_FALSE(f.next());
  CHECK_THAT(f.devices.why_unusable(), Contains("toy-backend device 0 (toy device): quarantined: reason 0") &&
                                           Contains("toy-backend-b device 1 (toy device): quarantined: reason 3"));
  CHECK(f.log.count(LogLevel::error) == 4);
}

TEST_CASE("A backend whose device takes no start, or more than anybody could make, is refused") {
  for (const std::string starts : {"0", "1025", "2147483647"}) {
    Host host(config("[plugin.toy-backend]\nstarts_in_flight = " + starts));
    CHECK(host.opened.status().code() == Code::invalid_config);
    CHECK_THAT(host.opened.status().message(), Contains("takes " + starts + " starts, expected 1 to 1024"));
  }
}

TEST_CASE("A device that a kind is too large for, or whose backend refuses it, is left to others") {
  SECTION("refused by its backend") {
    Host host(config(script("toy-backend", {"backend_plan@1:*:unsupported"}, "devices = 2")));
    const auto result = host.prover().prove(request(8));
    INFO(result.status().text());
    REQUIRE(result.ok());
    for (const PartResult& part : result->parts) CHECK_THAT(part.device, Contains("device 0"));
  }
  SECTION("too small, so that a later backend does it, visibly") {
    Host host(config("[plugin.toy-backend]\ndevice_memory = \"512KiB\"",
                     "allocator = \"alloc-heap\"\nbackends = [\"toy-backend\", \"toy-backend-b\"]"));
    const auto result = host.prover().prove(request(2));
    INFO(result.status().text());
    REQUIRE(result.ok());
    CHECK(result->degraded);
  }
  SECTION("refused by all: the first reason; lost beside one that cannot: both") {
    Host host(config(script("toy-backend", {"backend_plan@1:*:unsupported", "start@0:*:device_lost"}, "devices = 2")));
    const auto lost = host.prover().prove(request(1));
    CHECK_THAT(lost.status().message(), Contains("scripted device_lost") && Contains("device 1") &&
                                            Contains("scripted unsupported in backend_plan"));
    Host none(config(script("toy-backend", {"backend_plan:*:unsupported"}, "devices = 2")));
    CHECK(none.prover().prove(request(1)).status().code() == Code::unsupported);
  }
}

TEST_CASE("A device with memory for one partition, which takes for ever, does not hold up another") {
  Host host(config(script("toy-backend", {"finish@0:1:hang", "finish@1:*:sleep5"},
                          "devices = 2\nunequal = true\ndevice_memory = \"1300KiB\"")));
  Prover& prover = host.prover();
  Result<ProveResult> result = Status(Code::internal, "not run");
  std::stop_source first;
  {
    std::jthread slow([&] { (void)prover.prove(request(1, 1000), first.get_token()); });
    host.wait_for_hang("finish");
    std::jthread client([&] { result = prover.prove(request(40, 1000)); });
    // Some have chosen the first device before it was their turn.
    const auto done = [&] {
      const auto jobs = prover.snapshot().jobs;
      if (jobs.size() < 2) return std::ptrdiff_t{0};
      return std::count_if(jobs[1].partitions.begin(), jobs[1].partitions.end(),
                           [](const PartitionStatus& k) { return k.state == "done"; });
    };
    const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (done() < 35 && std::chrono::steady_clock::now() < late)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(done() >= 35);
    first.request_stop();
  }
  INFO(result.status().text());
  CHECK(result.ok());
  host.check_all_returned();
}
