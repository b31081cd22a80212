#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <pinion/host/ab/random.hpp>
#include <pinion/host/ab/statistics.hpp>

using namespace pinion::host::ab;

namespace {

double uniform(Random& random) {
  return (static_cast<double>(random.next() >> 11) + 0.5) / 9007199254740992.0;  // 2^53
}
// Box and Muller 1958.
double normal(Random& random) {
  return std::sqrt(-2 * std::log(uniform(random))) * std::cos(2 * std::numbers::pi * uniform(random));
}
// Times look like this: never below a floor, with a long tail; the median is exactly 1.
double time_like(Random& random) {
  return std::exp(0.3 * normal(random));
}

// The share of runs in which `interval(sample)` covers `truth`.
template <class Draw, class IntervalOf>
double coverage(std::size_t n, double truth, Draw draw, IntervalOf interval) {
  constexpr int runs = 2000;
  int covered = 0;
  for (int run = 0; run < runs; ++run) {
    Random random(static_cast<std::uint64_t>(run) * 7919 + n);
    std::vector<double> sample(n);
    for (double& x : sample) x = draw(random);
    covered += interval(sample, random.next()).covers(truth);
  }
  return static_cast<double>(covered) / runs;
}

}  // namespace

TEST_CASE("medians") {
  CHECK(median(std::vector{3.0}) == 3.0);
  CHECK(median(std::vector{4.0, 1.0}) == 2.5);
  CHECK(median(std::vector{9.0, 1.0, 5.0}) == 5.0);
}

// The depression scores of nine patients, example 3.1 of Hollander and Wolfe: T+ = 5, exact p = 0.0390625,
// estimate -0.46, interval (-0.786, -0.010).
TEST_CASE("the signed-rank test agrees with the textbook") {
  const std::vector<double> before{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const std::vector<double> after{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  std::vector<double> differences;
  for (std::size_t i = 0; i < before.size(); ++i) differences.push_back(after[i] - before[i]);
  const Shift shift = shift_of(differences);
  CHECK(shift.p == Approx(0.0390625).epsilon(1e-12));
  CHECK(shift.estimate == Approx(-0.46));
  REQUIRE(shift.interval);
  CHECK(shift.interval->low == Approx(-0.786));
  CHECK(shift.interval->high == Approx(-0.010));
}

TEST_CASE("the least p of n pairs is two in 2^n; below six pairs there is no interval") {
  for (std::size_t n = 1; n <= 12; ++n) {
    std::vector<double> differences;
    for (std::size_t i = 1; i <= n; ++i) differences.push_back(static_cast<double>(i));
    const Shift shift = shift_of(differences);
    CHECK(shift.p == Approx(std::min(1.0, 2 / std::pow(2.0, static_cast<double>(n)))));
    CHECK(shift.interval.has_value() == (n >= least_pairs));
    CHECK((shift.interval && shift.p >= 0.05) == false);
  }
}

TEST_CASE("ties share ranks and zeros say nothing") {
  CHECK(shift_of(std::vector(8, 0.0)).p == 1);
  CHECK(shift_of(std::vector{1.0, -1.0, 1.0, -1.0}).p == 1);
  // Ranks 1.5, 1.5, 3.5, 3.5, all positive but one of the low: P(T- <= 1.5) = (1 + 2) / 16.
  CHECK(shift_of(std::vector{-1.0, 1.0, 2.0, 2.0, 0.0}).p == Approx(2 * 3.0 / 16));
  const Shift equal = shift_of(std::vector(10, 0.25));
  CHECK(equal.estimate == 0.25);
  REQUIRE(equal.interval);
  CHECK(equal.interval->low == 0.25);
}

TEST_CASE("the interval of the shift covers zero exactly when the test does not reject it") {
  CHECK(rc::check("duality", [] {
    const auto n = *rc::gen::inRange<std::size_t>(least_pairs, 25);
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    std::vector<double> differences(n);
    for (double& d : differences) d = normal(random) + 0.5;
    const Shift shift = shift_of(differences);
    RC_ASSERT(shift.interval->covers(0) == (shift.p > 1 - confidence));
  }));
}

TEST_CASE("intervals cover what they promise") {
  for (const std::size_t n : {8u, 12u, 21u}) {
    const double of_medians = coverage(n, 1.0, time_like, median_interval);
    const double of_shifts = coverage(
        n, 0.2, [](Random& random) { return 0.2 + normal(random); },
        [](const std::vector<double>& sample, std::uint64_t) { return *shift_of(sample).interval; });
    INFO("n = " << n << ": medians " << of_medians << ", shifts " << of_shifts);
    CHECK(of_medians >= 0.92);
    CHECK(of_medians <= 0.98);
    CHECK(of_shifts >= 0.92);
    CHECK(of_shifts <= 0.98);
  }
}

TEST_CASE("a seed fixes an interval") {
  const std::vector<double> values{5, 1, 4, 2, 3, 9, 7, 8};
  CHECK(median_interval(values, 1).low == median_interval(values, 1).low);
  CHECK(median_interval(values, 1).low >= 1);
  CHECK(median_interval(values, 1).high <= 9);
  CHECK(median_interval(std::vector{2.0}, 1).low == 2);
}

TEST_CASE("Holm's procedure") {
  // By hand: sorted 0.01, 0.02, 0.03, 0.04 become 0.04, 0.06, 0.06, 0.06.
  const auto adjusted = holm(std::vector{0.04, 0.01, 0.03, 0.02});
  CHECK(adjusted[1] == Approx(0.04));
  for (const std::size_t i : {0u, 2u, 3u}) CHECK(adjusted[i] == Approx(0.06));
  CHECK(holm(std::vector{0.9, 0.8}).front() == 1);
  CHECK(holm(std::vector<double>{}).empty());
}

TEST_CASE("as many pairs as are called for show the effect about four times in five") {
  const double effect = 0.5;
  Random random(3);
  std::vector<double> pilot(4000);
  for (double& d : pilot) d = normal(random);
  const auto pairs = pairs_needed(pilot, effect);
  REQUIRE(pairs);
  CHECK(*pairs > 30);
  CHECK(*pairs < 36);  // 31.4 for the t-test, times pi/3
  int found = 0;
  for (int run = 0; run < 1000; ++run) {
    std::vector<double> differences(*pairs);
    for (double& d : differences) d = normal(random) + effect;
    found += shift_of(differences).p < 0.05;
  }
  CHECK(found > 750);
  CHECK(found < 850);
  CHECK(detectable(pilot).value() == Approx(2.8016 * std::sqrt(std::numbers::pi / 3 / 4000)).epsilon(0.03));
}

TEST_CASE("what cannot be said is not said") {
  CHECK_FALSE(pairs_needed(std::vector{1.0}, 1));
  CHECK_FALSE(pairs_needed(std::vector{1.0, 2.0}, 0));
  CHECK_FALSE(pairs_needed(std::vector{1.0, 2.0}, 1e-9));
  CHECK(pairs_needed(std::vector{1.0, 1.0}, 1).value() == least_pairs);
  CHECK_FALSE(detectable(std::vector{1.0}));
}
