// The thread pool: every index once, nested loops inline, several callers at once, never more threads than asked for.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <numeric>
#include <pinion/host/bridge/threads.hpp>
#include <set>
#include <thread>
#include <vector>

using namespace pinion::host;

namespace {

// A callable as the C interface wants it.
template <class F>
void run(ThreadPool& pool, std::uint64_t count, F f) {
  pool.run(
      count, [](void* arg, std::uint64_t i) { (*static_cast<F*>(arg))(i); }, &f);
}

}  // namespace

TEST_CASE("Every index is called once, and all calls are over when run returns") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    ThreadPool pool(threads);
    CHECK(pool.width() == threads);
    for (const std::uint64_t count : {0u, 1u, 2u, 7u, 10000u}) {
      std::vector<int> calls(count, 0);  // not atomic: each index belongs to one call, and run orders them all
      run(pool, count, [&](std::uint64_t i) { ++calls[i]; });
      CHECK(std::count(calls.begin(), calls.end(), 1) == static_cast<std::ptrdiff_t>(count));
    }
  }
  CHECK(ThreadPool(0).width() == 1);
}

TEST_CASE("A loop within a loop stays on its thread") {
  ThreadPool pool(4);
  std::atomic<int> elsewhere{0}, inner{0};
  run(pool, 64, [&](std::uint64_t) {
    const auto here = std::this_thread::get_id();
    run(pool, 100, [&](std::uint64_t) {
      ++inner;
      if (std::this_thread::get_id() != here) ++elsewhere;
    });
  });
  CHECK(inner == 6400);
  CHECK(elsewhere == 0);
}

TEST_CASE("Loops of several callers share the threads and do not mix") {
  ThreadPool pool(3);
  std::vector<std::uint64_t> sums(6, 0);
  {
    std::vector<std::jthread> callers;
    for (std::size_t c = 0; c < sums.size(); ++c)
      callers.emplace_back([&, c] {
        for (int round = 0; round < 20; ++round) {
          std::vector<std::uint64_t> values(1000);
          run(pool, values.size(), [&](std::uint64_t i) { values[i] = i * (c + 1); });
          sums[c] += std::accumulate(values.begin(), values.end(), std::uint64_t{0});
        }
      });
  }
  for (std::size_t c = 0; c < sums.size(); ++c) CHECK(sums[c] == 20 * 499500 * (c + 1));
}

TEST_CASE("No more iterations run at once than the pool has threads") {
  ThreadPool pool(2);
  std::atomic<int> at_once{0}, most{0};
  run(pool, 50, [&](std::uint64_t) {
    const int now = ++at_once;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    --at_once;
  });
  CHECK(most <= 2);
}
