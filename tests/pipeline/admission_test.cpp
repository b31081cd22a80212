// Which jobs are open at once: enough to be busy, never so many that none gets its memory.
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

TEST_CASE("admission: when room is to be made the last one in gives way, whoever else may not") {
  Gate gate;
  std::vector<std::uint64_t> asked;
  const auto confirm = [&](const Rank& rank) {
    return gate.admission.confirm(rank, Bytes(10), [&asked, rank] { asked.push_back(rank.job); });
  };
  gate.admission.make_room();  // nobody is in
  REQUIRE(gate.enter(normal(1), 10));
  REQUIRE(gate.enter(normal(2), 10));
  REQUIRE(gate.enter(normal(3), 10));  // a proof that is checked
  gate.admission.make_room();          // and nobody is open
  CHECK(asked.empty());
  REQUIRE(confirm(normal(2)));
  REQUIRE(confirm(normal(1)));
  REQUIRE(gate.enter(critical(4), 10));
  REQUIRE(confirm(critical(4)));
  gate.admission.make_room();
  gate.admission.make_room();  // it is still in
  CHECK(asked == std::vector<std::uint64_t>{2, 2});
  gate.admission.leave(2);
  gate.admission.make_room();
  CHECK(asked == std::vector<std::uint64_t>{2, 2, 1});
}

TEST_CASE("admission: who is alone makes no room by giving way") {
  Gate gate;
  bool asked = false;
  REQUIRE(gate.enter(normal(1), 10));
  REQUIRE(gate.admission.confirm(normal(1), Bytes(10), [&] { asked = true; }));
  gate.admission.make_room();  // what it waits for is held by nobody that is let in
  CHECK_FALSE(asked);
  REQUIRE(gate.enter(normal(2), 10));
  gate.admission.make_room();
  CHECK(asked);
}

TEST_CASE("admission: who has given way is not let in before somebody has ended") {
  Gate gate;
  for (const std::uint64_t job : {1u, 2u, 3u}) {
    REQUIRE(gate.enter(normal(job), 10));
    REQUIRE(gate.confirm(normal(job), 10));
  }
  const auto step_aside = [&](std::uint64_t job) {
    gate.admission.step_aside(normal(job), [&gate, job] { gate.called.push_back(job); });
  };
  step_aside(3);
  CHECK_FALSE(gate.enter(normal(3), 10));  // what it was told to make room for may not fit yet
  step_aside(2);
  CHECK(gate.called.empty());
  gate.admission.leave(1);
  CHECK(gate.called == std::vector<std::uint64_t>{2, 3});
  CHECK(gate.enter(normal(2), 10));
  CHECK(gate.enter(normal(3), 10));
  step_aside(3);
  gate.called.clear();
  step_aside(2);  // nobody is left who could end
  CHECK(gate.called == std::vector<std::uint64_t>{2, 3});
  CHECK(gate.enter(normal(2), 10));
}

TEST_CASE("admission: a thread that is let in lets in those behind it that fit beside it") {
  Gate gate;
  REQUIRE(gate.enter(normal(1), 80));
  std::atomic<int> asked{0};
  std::atomic<bool> in{false}, over{false};
  std::jthread first([&](std::stop_token stop) {
    const auto admitted = gate.admission.enter_waiting(normal(2), Bytes(1), Bytes(), stop);
    while (!over) std::this_thread::yield();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::function<void()> ask = [&] {
    ++asked;
    in = gate.admission.enter(normal(3), Bytes(1), Bytes(), ask);
  };
  ask();
  REQUIRE_FALSE(in);
  gate.admission.leave(1);  // it is called with the one in front of it, which has not come yet
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!in && std::chrono::steady_clock::now() < late) std::this_thread::yield();
  CHECK(in);
  over = true;
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
  std::jthread stopped([&](std::stop_token stop) {
    out += !gate.admission.enter_waiting(normal(2), Bytes(1), Bytes(), stop).has_value();
  });
  stopped.request_stop();
  stopped.join();
  std::jthread served([&](std::stop_token stop) {
    in += gate.admission.enter_waiting(normal(3), Bytes(1), Bytes(79), stop).has_value();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(in == 0);
  gate.admission.leave(1);
  served.join();
  CHECK(in == 1);
  CHECK(out == 1);
  CHECK(gate.enter(normal(4), 80));  // it has left at its end
}
