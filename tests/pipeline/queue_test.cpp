// Order: what waits goes by priority, then age of the job, then partition.
#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <pinion/host/pipeline/queue.hpp>
#include <pinion/host/pipeline/slots.hpp>
#include <thread>
#include <vector>

using namespace pinion::host;

TEST_CASE("Ranks: priority, then age, then partition") {
  CHECK(Rank{4, 9, 9} < Rank{2, 1, 0});
  CHECK(Rank{2, 1, 9} < Rank{2, 2, 0});
  CHECK(Rank{2, 1, 0} < Rank{2, 1, 1});
  CHECK(Rank{2, 1, 1} == Rank{2, 1, 1});
}

TEST_CASE("Tasks come out by rank, and in order of arrival within one") {
  TaskQueue queue;
  std::vector<int> order;
  queue.push({2, 2, 0}, [&] { order.push_back(4); });
  queue.push({2, 1, 1}, [&] { order.push_back(3); });
  queue.push({2, 1, 0}, [&] { order.push_back(1); });
  queue.push({2, 1, 0}, [&] { order.push_back(2); });
  queue.push({4, 3, 7}, [&] { order.push_back(0); });
  for (int i = 0; i < 5; ++i) (*queue.pop({}))();
  CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("Who takes only urgent tasks leaves the others") {
  TaskQueue queue;
  std::vector<int> order;
  queue.push({2, 1, 0}, [&] { order.push_back(1); });
  std::jthread urgent([&](std::stop_token stop) {
    if (auto task = queue.pop(stop, 4)) (*task)();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(order.empty());
  queue.push({4, 2, 0}, [&] { order.push_back(0); });
  urgent.join();
  (*queue.pop({}))();
  CHECK(order == std::vector<int>{0, 1});
}

TEST_CASE("What has nothing left to do goes first, also to who takes only urgent tasks") {
  TaskQueue queue;
  std::vector<int> order;
  std::stop_source over;
  for (std::uint32_t k = 0; k < 2; ++k) {
    queue.push({2, 1, k}, [&order] { order.push_back(1); });
    queue.push(
        {1, 2, k}, [&order, k] { order.push_back(20 + static_cast<int>(k)); }, over.get_token());
  }
  queue.push({1, 2, 0}, [&order] { order.push_back(4); });  // of the same job, and not over
  queue.push({4, 3, 0}, [&order] { order.push_back(3); });
  queue.hurry(2);  // nothing of it is over yet
  over.request_stop();
  queue.push(
      {1, 2, 2}, [&order] { order.push_back(22); }, over.get_token());
  queue.hurry(2);
  queue.hurry(2);
  queue.hurry(7);
  for (int i = 0; i < 4; ++i) (*queue.pop({}, 4))();
  for (int i = 0; i < 3; ++i) (*queue.pop({}))();
  CHECK(order == std::vector<int>{20, 21, 22, 3, 1, 1, 4});
}

TEST_CASE("A pop that waits ends with the stop") {
  TaskQueue queue;
  std::atomic<bool> empty{false};
  {
    std::jthread waiter([&](std::stop_token stop) { empty = !queue.pop(stop).has_value(); });
  }
  CHECK(empty);
}

TEST_CASE("Slots are handed out by rank, never more than there are") {
  Slots slots(2);
  std::optional<Slot> first = slots.take({2, 1, 0}, {}), second = slots.take({2, 1, 1}, {});
  std::mutex mutex;
  std::vector<std::uint32_t> order;
  std::atomic<int> at_once{0}, most{0};
  std::vector<std::jthread> waiters;
  for (std::uint32_t priority : {1u, 3u, 2u, 4u})
    waiters.emplace_back([&, priority] {
      const auto slot = slots.take({priority, 5, 0}, {});
      const int now = ++at_once;
      if (now > most) most = now;
      {
        const std::lock_guard lock(mutex);
        order.push_back(priority);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      --at_once;
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // all of them wait now
  CHECK(order.empty());
  first.reset();  // one slot: strictly by priority
  for (auto& waiter : waiters) waiter.join();
  CHECK(order == std::vector<std::uint32_t>{4, 3, 2, 1});
  CHECK(most == 1);
}

TEST_CASE("Any count of slots may be asked for") {
  for (const unsigned count : {1U, 1U << 31, UINT32_MAX}) {
    Slots slots(count);
    std::stop_source stop;
    auto taken = std::async(std::launch::async, [&] { return slots.take({1, 1, 0}, stop.get_token()).has_value(); });
    CHECK(taken.wait_for(std::chrono::seconds(10)) == std::future_status::ready);
    stop.request_stop();
    CHECK(taken.get());
  }
}

TEST_CASE("Waiting for a slot ends with the stop, and nobody else is held up") {
  Slots slots(1);
  std::optional<Slot> held = slots.take({2, 1, 0}, {});
  std::stop_source stop;
  std::optional<Slot> urgent, patient;
  std::jthread one([&] { urgent = slots.take({4, 2, 0}, stop.get_token()); });
  std::jthread two([&] { patient = slots.take({1, 3, 0}, {}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  stop.request_stop();
  one.join();
  CHECK_FALSE(urgent.has_value());
  held.reset();
  two.join();
  CHECK(patient.has_value());
}
