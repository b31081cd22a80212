// What a plugin gets of a pinion_call, and what happens with what it does not give back.
#include <pinion/host.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <pinion/host/bridge/call.hpp>
#include <pinion/host/bridge/host_table.hpp>
#include <set>
#include <thread>
#include <vector>

using namespace pinion::host;
using Catch::Contains;

namespace {

class HeapSource final : public SlabSource {
 public:
  SlabSourceInfo describe() const override { return {"test heap", SlabKind::pageable, Bytes(4096), Bytes()}; }
  Result<void*> allocate(Bytes bytes, const Placement&) override { return std::aligned_alloc(4096, bytes.count()); }
  void release(void* slab, Bytes) noexcept override { std::free(slab); }
};

class Listener final : public ProgressListener {
 public:
  void progress(const Owner& owner, std::uint64_t done, std::uint64_t total) noexcept override {
    last = owner.text() + " " + std::to_string(done) + "/" + std::to_string(total);
  }
  std::string last;
};

class CountingRandom final : public RandomSource {
 public:
  Status fill(const Owner&, std::span<std::uint8_t> out) override {
    for (auto& byte : out) byte = next++;
    return {};
  }
  std::uint8_t next = 1;
};

// One host space of 1 MiB, two devices of 64 KiB.
struct Fixture {
  SteadyClock clock;
  MemoryLog log;
  Memory memory{{},
                {{SpaceId::host(), mib(1), {std::make_shared<HeapSource>()}},
                 {SpaceId::device(3), kib(64), {}},
                 {SpaceId::device(4), kib(64), {}}},
                clock,
                log};
  Spans spans{clock};
  ThreadPool threads{2};
  CountingRandom random;
  Metrics metrics;
  Listener listener;
  Bridge bridge{{threads, memory, spans, random, log, metrics, listener}};
  std::stop_source stop;
  const Owner owner{"job 1", 2, "some-plugin"};

  // A call of a backend whose device 0 is the host's device 3.
  std::unique_ptr<PluginCall> call(SpanId parent = {}) {
    return bridge.make_call({owner, 3, 2, stop.get_token(), parent, 0, {}});
  }
  std::uint64_t leaks() {
    return metrics.counter("pinion_plugin_leaks_total", "", {{"plugin", "some-plugin"}}).value();
  }
};

pinion_error error() {
  pinion_error err{};
  err.size = sizeof err;
  return err;
}

}  // namespace

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

TEST_CASE("Null pointers are refused, not followed") {
  Fixture host;
  const auto call = host.call();
  const pinion_call* c = call->table();
  pinion_error err = error();
  CHECK(c->acquire(c, 4096, PINION_MEMORY_ANY, nullptr, &err) == PINION_INVALID_INPUT);
  CHECK_THAT(err.message, Contains("acquire: out is a null pointer"));
  CHECK(c->random(c, nullptr, 8, &err) == PINION_INVALID_INPUT);
  CHECK(c->random(c, nullptr, 0, nullptr) == PINION_OK);
  c->give_back(c, nullptr);
  c->parallel(c, 3, nullptr, nullptr);
  CHECK(c->span_begin(c, nullptr) != 0);
  CHECK(host.log.count(LogLevel::warn) == 2);
  CHECK(host.memory.holdings("job 1").empty());
}

TEST_CASE("Numbers at the end of 64 bits") {
  Fixture host;
  const auto call = host.call();
  const pinion_call* c = call->table();
  for (const std::uint64_t bytes : {UINT64_MAX, UINT64_MAX - 4095, UINT64_MAX / 2 + 1}) {
    pinion_buffer buffer{};
    CHECK(c->acquire(c, bytes, PINION_MEMORY_ANY, &buffer, nullptr) == PINION_OUT_OF_MEMORY);
    CHECK(c->reserve(c, PINION_SPACE_HOST, bytes, nullptr) == PINION_OUT_OF_MEMORY);
    CHECK(c->reserve(c, UINT32_MAX, bytes, nullptr) == PINION_OUT_OF_MEMORY);
    c->unreserve(c, PINION_SPACE_HOST, bytes);
  }
  pinion_buffer buffer{};
  CHECK(c->acquire(c, 64, 0, &buffer, nullptr) == PINION_OUT_OF_MEMORY);
  CHECK(c->acquire(c, 64, 0x80, &buffer, nullptr) == PINION_OUT_OF_MEMORY);
  c->progress(c, UINT64_MAX, 0);
  CHECK(host.memory.holdings("job 1").empty());
}

TEST_CASE("A call is used from threads that the host does not know") {
  Fixture host;
  const auto call = host.call();
  const pinion_call* c = call->table();
  std::atomic<std::uint64_t> sum{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        pinion_buffer buffer{};
        if (c->acquire(c, 4096, PINION_MEMORY_ANY, &buffer, nullptr) == PINION_OK) c->give_back(c, &buffer);
        if (c->reserve(c, PINION_SPACE_HOST, 100, nullptr) == PINION_OK) c->unreserve(c, PINION_SPACE_HOST, 100);
        // A loop within a loop stays on its thread.
        struct Nested {
          const pinion_call* call;
          std::atomic<std::uint64_t>& sum;
        } nested{c, sum};
        c->parallel(
            c, 4,
            [](void* arg, std::uint64_t) {
              const auto& outer = *static_cast<Nested*>(arg);
              outer.call->parallel(
                  outer.call, 3,
                  [](void* sum, std::uint64_t i) { *static_cast<std::atomic<std::uint64_t>*>(sum) += i; }, &outer.sum);
            },
            &nested);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(sum == 4 * 50 * 4 * (0 + 1 + 2));
  CHECK(host.memory.holdings("job 1").empty());
  CHECK(host.log.lines().empty());
}

TEST_CASE("A call that has ended refuses, and says once whose thread was forgotten") {
  Fixture host;
  auto call = host.call();
  const pinion_call* c = call->table();
  pinion_buffer kept{};
  REQUIRE(c->acquire(c, 4096, PINION_MEMORY_ANY, &kept, nullptr) == PINION_OK);
  call.reset();  // takes the buffer back
  CHECK(host.leaks() == 1);

  pinion_error err = error();
  pinion_buffer buffer{};
  std::uint8_t byte = 0;
  CHECK(c->cancelled(c) != 0);
  CHECK(c->width(c) == 1);
  CHECK(c->acquire(c, 4096, PINION_MEMORY_ANY, &buffer, &err) == PINION_INTERNAL);
  CHECK_THAT(err.message, Contains("some-plugin") && Contains("used acquire of a call that has ended"));
  CHECK(c->reserve(c, PINION_SPACE_HOST, 1, nullptr) == PINION_INTERNAL);
  CHECK(c->random(c, &byte, 1, nullptr) == PINION_INTERNAL);
  c->give_back(c, &kept);
  c->unreserve(c, PINION_SPACE_HOST, 1);
  c->progress(c, 1, 2);
  c->span_end(c, c->span_begin(c, "late"), 0);
  std::uint64_t ran = 0;
  c->parallel(
      c, 5, [](void* count, std::uint64_t) { ++*static_cast<std::uint64_t*>(count); }, &ran);
  CHECK(ran == 5);
  CHECK(host.log.count(LogLevel::error) == 1);
  CHECK(host.memory.holdings("job 1").empty());
}

TEST_CASE("A call ends while a thread of the plugin still uses it") {
  Fixture host;
  for (int round = 0; round < 50; ++round) {
    auto call = host.call();
    const pinion_call* c = call->table();
    std::atomic<bool> begun{false};
    std::thread forgotten([&] {
      for (int i = 0; i < 200; ++i) {
        pinion_buffer buffer{};
        (void)c->acquire(c, 4096, PINION_MEMORY_ANY, &buffer, nullptr);
        begun = true;
      }
    });
    while (!begun) std::this_thread::yield();
    call.reset();
    CHECK(host.memory.holdings("job 1").empty());
    forgotten.join();
    CHECK(host.memory.holdings("job 1").empty());
  }
}

TEST_CASE("The host table logs under the plugin's name and knows no service") {
  MemoryLog log;
  HostTables tables(log);
  const auto host = tables.host_table("some-plugin");
  CHECK(host->size == sizeof(pinion_host));
  CHECK(host->abi_major == PINION_ABI_MAJOR);
  host->log(host.get(), PINION_LOG_WARN, "hot");
  host->log(host.get(), PINION_LOG_INFO, "done");
  CHECK(host->query(host.get(), "pinion.service/9") == nullptr);
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
