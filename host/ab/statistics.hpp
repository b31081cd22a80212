// What may be said of repeated measurements of two sides: medians with intervals, the shift between paired
// measurements, whether it is real, and how many repetitions would show it. Plain numbers in and out; knows nothing of
// what was measured. Deterministic: every random draw comes from the seed.
//
// No normal distribution is assumed: times of proofs have a long tail to one side. Sources:
//   [HW]  Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd ed. 2014, sections 3.1 to 3.3
//   [W]   Wilcoxon 1945, Individual comparisons by ranking methods
//   [HL]  Hodges, Lehmann 1963, Estimates of location based on rank tests
//   [ET]  Efron, Tibshirani 1993, An Introduction to the Bootstrap, chapter 13 (percentile intervals). Not BCa: its
//         acceleration needs the jackknife, which is inconsistent for a median (section 11.6)
//   [H]   Holm 1979, A simple sequentially rejective multiple test procedure
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pinion::host::ab {

inline constexpr double confidence = 0.95;     // of every interval here
inline constexpr std::size_t least_pairs = 6;  // with fewer no signed-rank test can reach 0.05: 2 / 2^5 = 0.0625

struct Interval {
  double low = 0, high = 0;
  bool covers(double x) const noexcept { return low <= x && x <= high; }
};

// Of at least one value; the mean of the middle two of an even number. [any]
double median(std::span<const double> values);

// Percentile bootstrap of the median [ET]. Of at least one value. [any]
Interval median_interval(std::span<const double> values, std::uint64_t seed);

// The shift of paired differences and whether it is zero.
struct Shift {
  double estimate = 0;               // the median of all averages of two differences [HL]
  std::optional<Interval> interval;  // the exact one that belongs to the test [HW 3.3]; none below least_pairs
  double p = 1;                      // two-sided, exact also with ties, zeros left out [W, HW 3.1]
};
Shift shift_of(std::span<const double> differences);

// p values made comparable: each times the number of tests left, never below an earlier one [H]. In the order given.
// [any]
std::vector<double> holm(std::span<const double> p);

// How many pairs would show a shift of `effect` in differences that scatter like these, four times in five; at least
// least_pairs. Normal approximation, times pi/3 for the efficiency of ranks [HL]. Nothing: no number up to a million
// would, or fewer than two differences are there to tell the scatter. [any]
std::optional<std::size_t> pairs_needed(std::span<const double> differences, double effect);

// The least shift that as many pairs as these would show four times in five. Nothing with fewer than two. [any]
std::optional<double> detectable(std::span<const double> differences);

}  // namespace pinion::host::ab
