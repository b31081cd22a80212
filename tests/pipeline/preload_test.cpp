// Loading ahead, by kind: at start because the configuration says so, or by hand; and eviction by hand.
#include <algorithm>
#include <thread>

#include "host.hpp"

using namespace toy;
using Catch::Contains;

namespace {

const char* const kPreload = "[params]\ndir = \"/nowhere\"\npreload = [\"toy-1k\"]\n";

bool becomes_ready(Prover& prover) {
  for (int i = 0; i < 2000 && !prover.snapshot().ready; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return prover.snapshot().ready;
}

std::vector<std::string> loaded(const SpaceStatus& space) {
  std::vector<std::string> out;
  for (const ResidentStatus& resident : space.residents)
    if (resident.state == "ready" && resident.users == 0) out.push_back(resident.id);
  return out;
}

}  // namespace

TEST_CASE("a kind that is to be preloaded is there before the first job, which loads nothing", "[memory][preload]") {
  Host host(config(script("toy-proof", {"load:1:sleep200"}, "[plugin.toy-backend]\ndevices = 2\n") + kPreload));
  CHECK_FALSE(host.prover().snapshot().ready);  // alive at once
  REQUIRE(becomes_ready(host.prover()));
  const auto there = loaded(host.space());
  CHECK(there.size() == 3);  // the shape, and the keys of each device
  CHECK(std::count_if(there.begin(), there.end(), [](auto& id) { return id.starts_with("shape of toy-1k"); }) == 1);
  const auto loads = host.space().resident_loads;
  REQUIRE(host.prover().prove(request(2)).ok());
  CHECK(host.space().resident_loads == loads);
  const Snapshot snapshot = host.prover().snapshot();
  CHECK(std::none_of(snapshot.notes.begin(), snapshot.notes.end(),
                     [](const auto& note) { return note.find("preload") != std::string::npos; }));
  REQUIRE_FALSE(snapshot.jobs.empty());
  CHECK(snapshot.jobs.front().id == "preload-1");  // its progress is a job's
  CHECK(snapshot.jobs.front().state == "completed");
  host.check_all_returned();
}

TEST_CASE("a kind that does not exist stops the start, with the nearest there is and where it was written",
          "[memory][preload]") {
  Host host(config("[params]\npreload = [\"toy-2k\"]\n"));
  CHECK(host.opened.status().code() == Code::invalid_config);
  CHECK_THAT(host.opened.status().message(),
             Contains("test.toml:") && Contains("params.preload") && Contains("toy-2k") && Contains("\"toy-1k\"?"));
}

TEST_CASE("a preload that fails is noted, and the host serves all the same", "[memory][preload]") {
  Host host(config(script("toy-proof", {"load:1:invalid_input"}) + kPreload));
  REQUIRE(becomes_ready(host.prover()));
  const Snapshot snapshot = host.prover().snapshot();
  REQUIRE_FALSE(snapshot.notes.empty());
  CHECK_THAT(snapshot.notes.back(), Contains("preloading toy-1k") && Contains("scripted invalid_input"));
  CHECK(loaded(host.space()).empty());
  CHECK(host.space().used == Bytes());
  CHECK(host.prover().prove(request(1)).ok());
}

TEST_CASE("kinds are preloaded and evicted by hand", "[memory][preload]") {
  Host host;
  CHECK(host.prover().preload("toy-3k").code() == Code::invalid_input);
  REQUIRE(host.prover().preload("toy-1k", "/nowhere").ok());
  const auto there = loaded(host.space());
  REQUIRE(there.size() == 2);
  REQUIRE(host.prover().preload("toy-1k", "/nowhere").ok());  // is there already
  CHECK(host.space().resident_loads == 2);
  const Bytes before = host.space().used;
  for (const std::string& id : there) CHECK(host.prover().evict(SpaceId::host(), id).ok());
  CHECK(host.space().residents.empty());
  CHECK(host.space().used < before);
  CHECK(host.prover().evict(SpaceId::host(), there[0]).status().code() == Code::invalid_input);
  CHECK(host.prover().prove(request(1)).ok());
}

TEST_CASE("critical kinds are preloaded as their jobs would, the others after everything", "[memory][preload]") {
  Host host(config("[plugin.toy-proof]\nurgent = true\n"));
  REQUIRE(host.prover().preload("toy-urgent-1k", "/nowhere").ok());
  CHECK(host.prover().snapshot().jobs.front().priority == PINION_PRIORITY_CRITICAL);
  REQUIRE(host.prover().preload("toy-1k", "/nowhere").ok());
  for (const JobStatus& job : host.prover().snapshot().jobs)
    if (job.kind == "toy-1k") CHECK(job.priority == PINION_PRIORITY_LOW);
}

TEST_CASE("a preload that is cancelled, or that its plugin cannot name, keeps nothing", "[memory][preload]") {
  Host host(config(script("toy-proof", {"load:1:hang", "resources_of:2:unsupported"})));
  Prover& prover = host.prover();
  std::stop_source stop;
  std::jthread canceller([&] {
    for (int i = 0; i < 2000 && prover.snapshot().spaces.at(0).residents.empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop.request_stop();
  });
  CHECK(host.prover().preload("toy-1k", "/nowhere", stop.get_token()).code() == Code::cancelled);
  CHECK(host.prover().preload("toy-1k", "/nowhere").code() == Code::unsupported);
  CHECK(host.space().used == Bytes());
  CHECK(host.prover().preload("toy-1k", "/nowhere").ok());
}

TEST_CASE("a host that goes while it preloads does not wait for what is being loaded", "[memory][preload]") {
  const auto begin = std::chrono::steady_clock::now();
  {
    Host host(config(script("toy-proof", {"load:*:hang"}) + kPreload));
    for (int i = 0; i < 2000 && host.space().residents.empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}

TEST_CASE("nothing is loaded ahead on a device that is used no more", "[memory][preload]") {
  Host host(config(script("toy-backend", {"start@0:*:device_lost"}, "devices = 2")));
  REQUIRE(host.prover().prove(request(1)).ok());
  REQUIRE_FALSE(host.prover().devices()[0].usable);
  host.prover().evict(SpaceId::host(), host.space().used);
  REQUIRE(loaded(host.space()).empty());
  REQUIRE(host.prover().preload("toy-1k", "/nowhere").ok());
  const auto there = loaded(host.space());
  CHECK(there.size() == 2);  // the shape, and the keys of the other device
  for (const std::string& id : there) CHECK_THAT(id, !Contains("on its device 0"));
}

TEST_CASE("when no device is left, loading ahead is refused with what became of each", "[memory][preload]") {
  Host host(config(script("toy-backend", {"start:*:device_lost"})));
  REQUIRE_FALSE(host.prover().prove(request(1)).ok());
  const Status refused = host.prover().preload("toy-1k", "/nowhere");
  CHECK(refused.code() == Code::unsupported);
  CHECK_THAT(refused.message(), Contains("no device here proves toy-1k") && Contains("scripted device_lost"));
}
