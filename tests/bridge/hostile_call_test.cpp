// A pinion_call in the hands of a plugin that means harm, or was written in haste. Lies of its tables: tests/loader.
#include <atomic>
#include <thread>
#include <vector>

#include "fixture.hpp"

using namespace bridge_test;
using Catch::Contains;

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
