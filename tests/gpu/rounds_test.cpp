// Tasks added in rounds, as affine points, against sums on the CPU: every pair of points that an affine addition must
// not divide for, tasks of all lengths, and the rest in XYZZ when rounds have become narrow.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "device.hpp"
#include "msm_finish.hpp"
#include "msm_tasks.hpp"
#include "parameters.hpp"

namespace {

using namespace pinion;
using cuda::msm_steps::negative;

constexpr std::uint32_t workers = cuda::rounds_threads;

std::vector<bls::G1Affine> multiples(std::size_t count) {
  std::vector<bls::G1> points(count);
  bls::G1 next = bls::G1::generator();
  for (bls::G1& point : points) {
    point = next;
    next += bls::G1::generator();
  }
  std::vector<bls::G1Affine> out(count);
  bls::batch_to_affine<bls::Fp>(points, out);
  return out;
}

// Adds lists of values, each a task, and compares every sum.
void compare(const std::vector<bls::G1Affine>& points, const std::vector<std::vector<std::uint32_t>>& lists) {
  std::vector<std::uint32_t> values, begin, length, order(lists.size());
  std::size_t longest = 0;
  for (const auto& list : lists) {
    begin.push_back(static_cast<std::uint32_t>(values.size()));
    length.push_back(static_cast<std::uint32_t>(list.size()));
    values.insert(values.end(), list.begin(), list.end());
    longest = std::max(longest, list.size());
  }
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return length[a] > length[b]; });

  test::DeviceVector<bls::G1Affine> device_points(points);
  test::DeviceVector<std::uint32_t> device_values(values), turned(values.size()), device_begin(begin),
      device_length(length), device_order(order);
  cuda::msm_steps::Tasks tasks{};
  tasks.values = device_values.get();
  tasks.begin = device_begin.get();
  tasks.length = device_length.get();
  tasks.order = device_order.get();
  tasks.capacity = lists.size();
  tasks.max_length = static_cast<unsigned>(longest);
  test::DeviceArena arena(cuda::msm_steps::rounds_bytes(tasks.capacity, tasks.max_length, workers));
  test::DeviceBytes scratch(1 << 20), sums(lists.size() * cuda::xyzz_bytes(cuda::Curve::g1));
  cuda::msm_steps::Rounds rounds{};
  REQUIRE(
      cuda::msm_steps::make_rounds(tasks, turned.get(), workers, arena.arena, scratch.get(), 1 << 20, rounds, nullptr)
          .ok());
  CHECK(arena.arena.used() == arena.arena.size());
  std::uint32_t made = 0, expected = 0;
  const auto is_wide = [&](std::uint32_t round) {
    return std::count_if(length.begin(), length.end(), [=](std::uint32_t all) { return all > round; }) >=
           std::int64_t{cuda::rounds_least_batch} * workers;
  };
  while (is_wide(expected)) ++expected;
  REQUIRE(cuda::msm_steps::add_in_rounds(rounds, device_points.get(), nullptr).ok());
  REQUIRE(cuda::msm_steps::Steps<cuda::G1>::accumulate(tasks, rounds, device_points.get(), sums.get(), nullptr).ok());

  test::download(&made, rounds.made, sizeof made);
  CHECK(made == expected);
  std::vector<cuda::HostXyzz<bls::Fp>> result(lists.size());
  sums.download(static_cast<void*>(result.data()), result.size() * sizeof result[0]);
  std::size_t wrong = 0;
  for (std::size_t t = 0; t < lists.size(); ++t) {
    bls::G1 sum = bls::G1::infinity();
    for (const std::uint32_t value : lists[t]) {
      const bls::G1 point(points[value & ~negative]);
      sum += (value & negative) != 0 ? -point : point;
    }
    wrong += result[t].to_jacobian() != sum;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("tasks added in rounds") {
  auto points = multiples(60);
  std::mt19937 generator(7);
  const auto value = [&](std::size_t below) {
    return static_cast<std::uint32_t>(generator() % below) | (generator() % 2 != 0 ? negative : 0);
  };
  std::vector<std::vector<std::uint32_t>> lists((cuda::rounds_least_batch + 3) * workers + 5);
  SECTION("different points, lengths that differ") {
    for (std::size_t t = 0; t < lists.size(); ++t)
      for (std::size_t k = 0; k < t % 23; ++k) lists[t].push_back(value(points.size()));
  }
  SECTION("few points: equal ones, opposite ones, infinity, multiples that meet") {
    points = multiples(3);
    points.push_back(bls::G1Affine::infinity());
    for (auto& list : lists)
      for (std::size_t k = 0; k < 14; ++k) list.push_back(value(points.size()));
  }
  SECTION("one point only") {
    for (auto& list : lists) list.assign(17, 5);
  }
  SECTION("nothing but infinity") {
    points.assign(1, bls::G1Affine::infinity());
    for (auto& list : lists) list.assign(5, 0);
  }
  SECTION("x = 0, which is on the curve") {
    const bls::Fp two = bls::Fp::one() + bls::Fp::one();
    points[0] = bls::G1Affine{bls::Fp::zero(), two};
    for (std::size_t t = 0; t < lists.size(); ++t)
      lists[t] = {value(t % 3 + 1), value(2), value(1), value(points.size()), value(1), value(1), value(3)};
  }
  SECTION("a few long tasks among short ones") {
    for (std::size_t t = 0; t < lists.size(); ++t)
      for (std::size_t k = 0; k < (t % 100 == 3 ? 90U : t % 5); ++k) lists[t].push_back(value(points.size()));
  }
  SECTION("too few tasks for a round") {
    lists.resize(40);
    for (auto& list : lists)
      for (std::size_t k = 0; k < 9; ++k) list.push_back(value(points.size()));
  }
  SECTION("empty tasks only") {}
  compare(points, lists);
}
