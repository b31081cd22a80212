// What a plugin gets of a pinion_call, and what happens with what it does not give back.
#include <set>

#include "fixture.hpp"

using namespace bridge_test;
using Catch::Contains;

TEST_CASE("Cancellation, progress, spans, threads and randomness reach the host") {
  Fixture host;
  SpanId stage_id;
  {
    const Span stage = host.spans.open("start", host.owner);
    stage_id = stage.id();
    const auto call = host.call(stage.id());
    const pinion_call* c = call->table();
    CHECK(c->size == sizeof(pinion_call));
    CHECK(c->width(c) == 2);
    CHECK_FALSE(c->cancelled(c));
    host.stop.request_stop();
    CHECK(c->cancelled(c));
    c->progress(c, 3, 9);
    CHECK(host.listener.last == host.owner.text() + " 3/9");
    const std::uint64_t span = c->span_begin(c, "kernels");
    c->span_end(c, span, 77);
    c->span_end(c, span, 77);  // twice: told, not counted
    std::uint8_t bytes[3] = {};
    pinion_error err = error();
    CHECK(c->random(c, bytes, 3, &err) == PINION_OK);
    CHECK((bytes[0] == 1 && bytes[1] == 2 && bytes[2] == 3));
  }
  const auto records = host.spans.records();
  REQUIRE(records.size() == 2);
  CHECK(records[0].name == "kernels");
  CHECK(records[0].parent == stage_id);
  CHECK(records[0].bytes == Bytes(77));
  CHECK(records[0].owner == host.owner);
  REQUIRE(host.log.lines().size() == 1);
  CHECK_THAT(host.log.lines()[0].text, Contains("which is not running") && Contains("some-plugin"));
}

TEST_CASE("Memory is lent and charged within the budget, and taken back when the plugin gives it") {
  Fixture host;
  const auto call = host.call();
  const pinion_call* c = call->table();
  pinion_error err = error();
  pinion_buffer buffer{};
  REQUIRE(c->acquire(c, 100000, PINION_MEMORY_ANY, &buffer, &err) == PINION_OK);
  CHECK(buffer.bytes == 100000);
  CHECK(buffer.kind == PINION_MEMORY_PAGEABLE);
  CHECK(reinterpret_cast<std::uintptr_t>(buffer.data) % 4096 == 0);
  REQUIRE(c->reserve(c, PINION_SPACE_HOST, 5000, &err) == PINION_OK);
  REQUIRE(c->reserve(c, PINION_SPACE_DEVICE(1), 6000, &err) == PINION_OK);
  CHECK(host.memory.used(SpaceId::device(4)) == Bytes(6000));  // the plugin's device 1 is the host's 4
  CHECK(host.memory.used(SpaceId::device(3)) == Bytes());

  SECTION("more than there is") {
    pinion_buffer untouched{nullptr, 1, 2, 3, 4};
    CHECK(c->acquire(c, 1 << 20, PINION_MEMORY_ANY, &untouched, &err) == PINION_OUT_OF_MEMORY);
    CHECK((untouched.data == nullptr && untouched.id == 4));
    CHECK_THAT(err.message, Contains("1.00 MiB"));
    CHECK(c->acquire(c, 4096, PINION_MEMORY_PINNED, &untouched, &err) == PINION_OUT_OF_MEMORY);
    CHECK(c->reserve(c, PINION_SPACE_DEVICE(0), 1 << 17, &err) == PINION_OUT_OF_MEMORY);
    CHECK(c->reserve(c, PINION_SPACE_DEVICE(2), 1, &err) == PINION_OUT_OF_MEMORY);
    CHECK_THAT(err.message, Contains("some-plugin has 2 devices"));
    CHECK(c->reserve(c, PINION_SPACE_HOST, UINT64_MAX, nullptr) == PINION_OUT_OF_MEMORY);
  }
  c->give_back(c, &buffer);
  c->unreserve(c, PINION_SPACE_HOST, 2000);
  c->unreserve(c, PINION_SPACE_HOST, 3000);
  c->unreserve(c, PINION_SPACE_DEVICE(1), 6000);
  CHECK(host.memory.holdings("job 1").empty());
  CHECK(host.log.lines().empty());
}

TEST_CASE("Giving back what was not lent changes nothing and is told") {
  Fixture host;
  const auto call = host.call();
  const pinion_call* c = call->table();
  pinion_buffer buffer{};
  REQUIRE(c->acquire(c, 4096, PINION_MEMORY_ANY, &buffer, nullptr) == PINION_OK);
  c->give_back(c, &buffer);
  c->give_back(c, &buffer);
  c->unreserve(c, PINION_SPACE_HOST, 1);
  c->unreserve(c, PINION_SPACE_DEVICE(7), 1);
  CHECK(host.log.count(LogLevel::warn) == 3);
  CHECK(host.memory.holdings("job 1").empty());
}

TEST_CASE("What a plugin keeps beyond its call is taken back and reported against it") {
  Fixture host;
  {
    const auto call = host.call();
    const pinion_call* c = call->table();
    pinion_buffer buffer{};
    REQUIRE(c->acquire(c, 4096, PINION_MEMORY_ANY, &buffer, nullptr) == PINION_OK);
    REQUIRE(c->reserve(c, PINION_SPACE_DEVICE(0), 4096, nullptr) == PINION_OK);
    CHECK(host.memory.holdings("job 1").size() == 2);
  }
  CHECK(host.memory.holdings("job 1").empty());
  CHECK(host.memory.used(SpaceId::device(3)) == Bytes());
  CHECK(host.leaks() == 2);
  CHECK(host.log.count(LogLevel::warn) == 2);
  for (const auto& line : host.log.lines()) CHECK_THAT(line.text, Contains("some-plugin") && Contains("job 1"));
}

TEST_CASE("The host table logs under the plugin's name and knows the width of calls") {
  MemoryLog log;
  HostTables tables(log, 6);
  const auto host = tables.host_table("some-plugin");
  CHECK(host->size == sizeof(pinion_host));
  CHECK(host->abi_major == PINION_ABI_MAJOR);
  host->log(host.get(), PINION_LOG_WARN, "hot");
  host->log(host.get(), PINION_LOG_INFO, "done");
  CHECK(host->query(host.get(), "pinion.service/9") == nullptr);
  const auto* width = static_cast<const std::uint32_t*>(host->query(host.get(), PINION_WIDTH));
  REQUIRE(width != nullptr);
  CHECK(*width == 6);
  const auto silent = HostTables(log).host_table("some-plugin");
  CHECK(silent->query(silent.get(), PINION_WIDTH) == nullptr);
  REQUIRE(log.lines().size() == 2);
  CHECK(log.lines()[0].text == "some-plugin: hot");
  CHECK(log.lines()[0].level == LogLevel::warn);
}

TEST_CASE("The OS gives different bytes each time, for any length") {
  OsRandom random;
  std::set<std::vector<std::uint8_t>> seen;
  for (int round = 0; round < 10; ++round) {
    std::vector<std::uint8_t> bytes(1000);
    REQUIRE(random.fill({}, bytes).ok());
    CHECK(seen.insert(bytes).second);
  }
  CHECK(random.fill({}, {}).ok());
}
