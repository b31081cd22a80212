// The fake host is what plugin authors trust, so each thing it promises to notice is shown to be noticed.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <pinion/plugin.hpp>
#include <pinion/testing/fake_host.hpp>
#include <thread>

using pinion::testing::CallSettings;
using pinion::testing::FakeCall;
using pinion::testing::GuardBuffer;

namespace {

// Runs f in a child and says which signal ended it, 0 when none did.
template <class F>
int signal_of(F&& f) {
  const pid_t child = fork();
  if (child == 0) {
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : (WIFEXITED(status) && WEXITSTATUS(status) != 0 ? SIGSEGV : 0);
}

}  // namespace

TEST_CASE("guard buffers fault on the first byte outside") {
  GuardBuffer tail(100);
  GuardBuffer head(100, GuardBuffer::Edge::start);
  volatile std::uint8_t* end = tail.data() + 100;
  volatile std::uint8_t* before = head.data() - 1;
  CHECK(signal_of([&] { *(end - 1) = 1; }) == 0);
  CHECK(signal_of([&] { *end = 1; }) == SIGSEGV);
  CHECK(signal_of([&] { *before = 1; }) == SIGSEGV);
  CHECK(reinterpret_cast<std::uintptr_t>(head.data()) % 4096 == 0);

  CHECK((tail.intact() && head.intact()));
  head.data()[100] = 0;
  tail.data()[-1] = 0;
  CHECK_FALSE(head.intact());
  CHECK_FALSE(tail.intact());

  head.forbid();
  CHECK(signal_of([&] { static_cast<void>(*(volatile std::uint8_t*)head.data()); }) == SIGSEGV);
  GuardBuffer empty(0);
  CHECK(empty.intact());
}

TEST_CASE("parallel runs each index once, nested loops inline") {
  FakeCall fake(CallSettings{.threads = 4});
  pinion::Call call(fake.table());
  std::atomic<std::uint64_t> sum{0};
  call.for_each(100, [&](std::uint64_t i) {
    const auto outer = std::this_thread::get_id();
    call.for_each(10, [&](std::uint64_t j) {
      if (std::this_thread::get_id() == outer) sum += i * 10 + j;
    });
  });
  CHECK(sum == 999 * 1000 / 2);
  CHECK_THROWS_AS(call.for_each(8,
                                [](std::uint64_t i) {
                                  if (i == 5) throw pinion::Error(PINION_INTERNAL, "x");
                                }),
                  pinion::Error);
  CHECK(fake.violations().empty());
}

TEST_CASE("memory is charged, refused and missed when it is not returned") {
  FakeCall fake(CallSettings{.memory = 10000});
  const pinion::Call call(fake.table());
  {
    pinion::Reservation first(call, 6000);
    CHECK_THROWS_AS(pinion::Reservation(call, 4001), pinion::Error);
    pinion::Scratch scratch(call, 4000);
    CHECK(scratch.as<std::uint32_t>(1000).size() == 1000);
    CHECK_THROWS_AS(scratch.as<std::uint32_t>(1001), pinion::Error);
    CHECK_THROWS_AS(pinion::Scratch(call, 1), pinion::Error);
    pinion::Reservation moved(std::move(first));
    CHECK(moved.bytes() == 6000);
    CHECK(fake.leaks().size() == 2);
  }
  CHECK(fake.leaks().empty());
  CHECK(fake.peak_bytes() == 10000);
  CHECK(fake.peak_bytes(PINION_SPACE_DEVICE(0)) == 0);
  CHECK(fake.violations().empty());

  pinion_buffer buffer{};
  REQUIRE(fake.table()->acquire(fake.table(), 10, PINION_MEMORY_ANY, &buffer, nullptr) == PINION_OK);
  static_cast<std::uint8_t*>(buffer.data)[10] = 1;
  fake.table()->give_back(fake.table(), &buffer);  // overrun
  fake.table()->give_back(fake.table(), &buffer);  // twice
  fake.table()->unreserve(fake.table(), PINION_SPACE_HOST, 1);
  CHECK(fake.violations().size() == 3);
}

TEST_CASE("worker functions called from a foreign thread are noticed") {
  FakeCall fake;
  pinion::Call call(fake.table());
  std::thread([&] { static_cast<void>(fake.table()->reserve(fake.table(), 0, 1, nullptr)); }).join();
  REQUIRE(fake.violations().size() == 1);
  CHECK(fake.violations()[0].find("reserve is [worker]") == 0);
  fake.table()->unreserve(fake.table(), 0, 1);
  call.for_each(4, [&](std::uint64_t) { pinion::Reservation ok(call, 1); });
  CHECK(fake.violations().size() == 1);
}

TEST_CASE("cancellation after a number of polls, spans, seeded random") {
  FakeCall fake(CallSettings{.cancel_after = 2, .random = {9, 8}, .seed = 5});
  pinion::Call call(fake.table());
  call.check();
  call.check();
  CHECK_THROWS_AS(call.check(), pinion::Cancelled);
  CHECK(fake.polls() == 3);
  {
    pinion::Span outer(call, "outer");
    pinion::Span inner(call, "inner");
    CHECK(fake.leaks().size() == 2);
  }
  CHECK(fake.spans() == std::vector<std::string>{"inner", "outer"});
  std::array<std::uint8_t, 4> a{}, b{};
  call.random(a);
  CHECK((a[0] == 9 && a[1] == 8));
  FakeCall same(CallSettings{.random = {9, 8}, .seed = 5});
  pinion::Call(same.table()).random(b);
  CHECK(a == b);
}
