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

namespace {

template <class F>
std::chrono::nanoseconds run_urgent(ThreadPool& pool, std::uint64_t count, F f) {
  return pool.run(
      count, [](void* arg, std::uint64_t i) { (*static_cast<F*>(arg))(i); }, &f, ThreadPool::Class::urgent);
}

}  // namespace

TEST_CASE("An urgent loop calls every index once, also when many run at once") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    ThreadPool pool(threads);
    std::vector<std::jthread> callers;
    std::vector<std::vector<int>> calls(4, std::vector<int>(5000, 0));
    for (auto& mine : calls)
      callers.emplace_back([&] {
        for (int round = 0; round < 5; ++round) run_urgent(pool, mine.size(), [&](std::uint64_t i) { ++mine[i]; });
      });
    callers.clear();
    for (const auto& mine : calls) CHECK(std::count(mine.begin(), mine.end(), 5) == 5000);
    run_urgent(pool, 0, [&](std::uint64_t) { FAIL("there is no such index"); });
  }
}

TEST_CASE("Threads at work on ordinary loops turn to an urgent one between two iterations") {
  constexpr auto iteration = std::chrono::milliseconds(5);
  ThreadPool pool(2);
  std::atomic<bool> stop{false};
  std::atomic<int> ordinary{0};
  std::vector<std::jthread> saturating;
  for (int i = 0; i < 3; ++i)
    saturating.emplace_back([&] {
      while (!stop)
        run(pool, 100, [&](std::uint64_t) {
          ++ordinary;
          if (!stop) std::this_thread::sleep_for(iteration);
        });
    });
  while (ordinary < 4) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::mutex mutex;
  std::set<std::thread::id> workers;
  const auto begin = std::chrono::steady_clock::now();
  run_urgent(pool, 40, [&](std::uint64_t) {
    std::this_thread::sleep_for(iteration);
    const std::lock_guard lock(mutex);
    workers.insert(std::this_thread::get_id());
  });
  const auto took = std::chrono::steady_clock::now() - begin;
  stop = true;
  saturating.clear();
  CHECK(workers.size() >= 2);    // others than the caller came
  CHECK(took < 40 * iteration);  // and it was not left to the caller
}

TEST_CASE("The time a caller waits at the end of its loop is told") {
  ThreadPool pool(2);
  std::atomic<bool> other{false};
  const auto caller = std::this_thread::get_id();
  const auto body = [&](std::uint64_t) {
    if (std::this_thread::get_id() == caller) {
      while (!other) std::this_thread::yield();
      return;
    }
    other = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  const auto waited = run_urgent(pool, 2, body);
  CHECK(waited > std::chrono::milliseconds(20));
  CHECK(waited < std::chrono::seconds(10));
}

TEST_CASE("What an iteration lets out comes back to its own caller, whoever ran it, and to nobody else") {
  ThreadPool pool(2);
  std::atomic<bool> stop{false};
  std::atomic<int> ordinary{0};
  std::string disturbed;
  std::jthread other([&] {
    try {
      while (!stop)
        run(pool, 20, [&](std::uint64_t) {
          ++ordinary;
          std::this_thread::sleep_for(std::chrono::microseconds(100));
        });
    } catch (const std::exception& error) {
      disturbed = error.what();
    }
  });
  while (ordinary == 0) std::this_thread::yield();
  const auto caller = std::this_thread::get_id();
  for (int round = 0; round < 50; ++round) {
    const auto body = [&](std::uint64_t i) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (i >= 4 && std::this_thread::get_id() != caller) throw std::runtime_error("scripted");
      if (i == 30) throw std::runtime_error("scripted");  // where nobody helped
    };
    CHECK_THROWS_WITH(run_urgent(pool, 40, body), "scripted");
    CHECK_THROWS_WITH(run(pool, 40, body), "scripted");
  }
  stop = true;
  other.join();
  CHECK(disturbed.empty());
}
