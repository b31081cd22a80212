// What a device says of the memory lent for it, through a whole proof: never a reason to fail, always to be seen.
#include <nlohmann/json.hpp>
#include <set>

#include "host.hpp"

using namespace toy;
using Catch::Contains;

namespace {

// toy-pinned states pinned memory and takes it from the heap; `sees`: how toy-backend sees any memory.
std::string lying(const std::string& sees) {
  return config("[plugin.toy-backend]\nsees = \"" + sees + "\"\n", R"(allocator = "toy-pinned"
backends = ["toy-backend"])");
}

// Of slabs that a device was lent: not the shape's, nor scratch.
std::set<std::string> seen(Host& host) {
  std::set<std::string> out;
  for (const SlabStatus& slab : host.space().slabs) out.insert(slab.seen);
  out.erase("");
  return out;
}

std::uint64_t strikes(Host& host) {
  for (const PluginStatus& plugin : host.prover().snapshot().plugins)
    if (plugin.id == "toy-backend") return plugin.strikes;
  return 99;
}

std::string warnings(Host& host) {
  std::string out;
  for (const MemoryLog::Line& line : host.log.lines())
    if (line.level == LogLevel::warn) out += line.text + "\n";
  return out;
}

}  // namespace

TEST_CASE("Every buffer of a partition is shown as the device sees it, and a contradiction is a note of the status") {
  Host host(lying("pageable"));
  REQUIRE(host.prover().prove(request(3)).ok());
  CHECK(seen(host) == std::set<std::string>{"pageable"});
  CHECK_THAT(warnings(host), Contains("allocator toy-pinned states pinned memory") &&
                                 Contains("toy-backend device 0 (toy device) sees pageable memory"));
  CHECK(host.log.count(LogLevel::warn) == 1);
  const Snapshot snapshot = host.prover().snapshot();
  REQUIRE_FALSE(snapshot.notes.empty());
  CHECK_THAT(snapshot.notes.back(), Contains("not as stated: stated pinned, the device sees pageable"));
  CHECK_FALSE(snapshot.degraded);
  const auto json = to_json(snapshot);
  CHECK(json["spaces"][0]["slabs"][0]["seen"] == "pageable");
  CHECK(json["spaces"][0]["slabs"][0]["kind"] == "pinned");
  CHECK(json["devices"][0]["memory"] == 0);
}

TEST_CASE("Memory that is as stated raises nothing") {
  Host host(lying("pinned"));
  REQUIRE(host.prover().prove(request(3)).ok());
  CHECK(seen(host) == std::set<std::string>{"pinned"});
  CHECK(host.log.count(LogLevel::warn) == 0);
  CHECK(host.prover().snapshot().notes.empty());
}

TEST_CASE("A backend that does not say, does not know, fails or answers nonsense proves all the same") {
  for (const std::string sees : {"nothing", "unknown", "failing", "garbage"}) {
    CAPTURE(sees);
    Host host(lying(sees));
    const auto result = host.prover().prove(request(2));
    INFO(result.status().text());
    REQUIRE(result.ok());
    CHECK_FALSE(result->degraded);
    CHECK(seen(host).empty());
    CHECK(host.prover().devices()[0].usable);
    CHECK(host.log.count(LogLevel::warn) == 0);
    CHECK((strikes(host) > 0) == (sees == "garbage"));  // which breaks a rule, and is counted against it
    CHECK(host.prover().snapshot().notes.empty());
    host.check_all_returned();
  }
}
