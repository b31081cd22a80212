// The memory core under a whole host on toy plugins: what only the pieces together can show.
#include <thread>

#include "host.hpp"

using namespace toy;
using Catch::Contains;

namespace {

const char* const kPinned = "allocator = \"toy-pinned\"\nbackends = [\"toy-backend\"]";

}  // namespace

TEST_CASE("fault 10: the first proof of a kind has its buffers in the configured memory", "[memory][fault]") {
  Host host(config("", kPinned));
  REQUIRE(host.prover().prove(request(1)).ok());
  const SpaceStatus status = host.space();
  REQUIRE(status.slabs_made > 0);
  for (const SlabStatus& slab : status.slabs) CHECK(slab.kind == "pinned");
  CHECK(status.fallback_uses == 0);
  CHECK(status.pinned.used > Bytes());
  const auto made = status.slabs_made;
  REQUIRE(host.prover().prove(request(1)).ok());
  CHECK(host.space().slabs_made == made);  // and the second finds them
}

TEST_CASE("the host is alive at once and ready when its slabs are made", "[memory][warm]") {
  Config settings = parsed(config("", kPinned));
  settings.memory.warm.value = mib(8);
  settings.memory.warm_slab.value = mib(2);
  Host host(settings);
  CHECK(host.prover().snapshot().spaces.at(0).budget == mib(64));  // whatever is still being made
  for (int i = 0; i < 1000 && !host.prover().snapshot().ready; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const Snapshot snapshot = host.prover().snapshot();
  CHECK(snapshot.ready);
  CHECK(snapshot.spaces.at(0).warm.state == "ready");
  CHECK(snapshot.spaces.at(0).warm.made == mib(8));
  CHECK(snapshot.spaces.at(0).idle == mib(8));
}

TEST_CASE("the limit of page-locked memory is the operator's key, and the snapshot shows it", "[memory][pool]") {
  Config settings = parsed(config("", kPinned));
  settings.memory.pinned_max.value = kib(4);
  Host host(settings);
  const auto refused = host.prover().prove(request(1));
  CHECK(refused.status().code() == Code::over_budget);
  CHECK_THAT(refused.status().message(), Contains("memory.pinned_max"));
  settings.memory.pinned_max.value = mib(32);
  Host enough(settings);
  CHECK(enough.prover().prove(request(1)).ok());
  CHECK(enough.space().pinned.limit == mib(32));
}

TEST_CASE("the snapshot says what decided the budget, and what the process holds", "[memory][attribution]") {
  Host host;
  const Snapshot snapshot = host.prover().snapshot();
  CHECK_THAT(snapshot.spaces.at(0).budget_source, Contains("memory.budget = 64MiB") && Contains("test.toml:2"));
  REQUIRE(snapshot.process.has_value());
  CHECK(snapshot.process->anonymous > kib(100));
}

TEST_CASE("device memory has its own ledger, its own residents and its own evictor", "[memory][device]") {
  Host host(config("[plugin.toy-backend]\ndevice_memory = \"16MiB\"\n"));
  REQUIRE(host.prover().prove(request(2)).ok());
  const std::vector<SpaceStatus> spaces = host.prover().snapshot().spaces;
  REQUIRE(spaces.size() >= 2);
  const SpaceStatus& device = spaces.at(1);
  CHECK(device.name == "device 0");
  CHECK(device.high_water > Bytes());
  CHECK(device.high_water <= device.budget);
  CHECK(device.resident_loads > 0);
  REQUIRE_FALSE(device.residents.empty());
  CHECK(host.prover().evict(SpaceId::device(0), device.used) == device.used);
  CHECK(host.space(1).used == Bytes());
  CHECK(host.space(1).residents.empty());
  CHECK(host.space(0).used > Bytes());  // the host's idle slabs stay
  REQUIRE(host.prover().prove(request(1)).ok());
  CHECK(host.space(1).resident_loads > device.resident_loads);
}

TEST_CASE("memory that a lost device keeps is in the status, with the device, and the host is degraded",
          "[memory][stuck]") {
  Host host(config("[plugin.toy-pinned]\nkeeps = true\n", kPinned));
  REQUIRE(host.prover().prove(request(1)).ok());
  CHECK_FALSE(host.prover().snapshot().degraded);
  const Bytes idle = host.space().idle;
  CHECK(host.prover().evict(SpaceId::host(), mib(64)) < idle);  // residents' bytes at most
  const Snapshot snapshot = host.prover().snapshot();
  CHECK(snapshot.degraded);
  REQUIRE_FALSE(snapshot.notes.empty());
  CHECK_THAT(snapshot.notes.back(), Contains("toy device 0 is lost") && Contains("until pinion is started anew"));
  const Bytes stuck = snapshot.spaces[0].stuck;
  CHECK(stuck > Bytes());
  CHECK(snapshot.spaces[0].idle == stuck);
  CHECK(snapshot.spaces[0].used >= stuck);
  CHECK(host.prover().prove(request(1)).ok());  // with the very slabs
  CHECK(host.space().stuck == stuck);
}
