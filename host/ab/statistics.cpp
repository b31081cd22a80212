#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <pinion/host/ab/random.hpp>
#include <pinion/host/ab/statistics.hpp>

namespace pinion::host::ab {
namespace {

constexpr std::size_t resamples = 2000;
constexpr double tail = (1 - confidence) / 2;
constexpr double z_sum = 1.959964 + 0.841621;  // quantiles of the normal distribution: 0.975, and 0.8 for the power

double median_of_sorted(std::span<const double> sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// The null distribution of the sum of the signed ranks that are positive: each rank counts or not, evenly.
std::vector<double> rank_sum_distribution(std::span<const std::size_t> ranks) {
  std::vector<double> probability{1.0};
  for (const std::size_t rank : ranks) {
    probability.resize(probability.size() + rank);
    for (std::size_t s = probability.size(); s-- > 0;)
      probability[s] = 0.5 * (probability[s] + (s >= rank ? probability[s - rank] : 0.0));
  }
  return probability;
}

// Twice the rank of each magnitude, so that the mean rank of ties is a whole number. In the order given.
std::vector<std::size_t> doubled_ranks(std::span<const double> magnitudes) {
  std::vector<std::size_t> order(magnitudes.size()), ranks(magnitudes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return magnitudes[a] < magnitudes[b]; });
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && magnitudes[order[end]] == magnitudes[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = begin + end + 1;  // ranks begin+1 … end
    begin = end;
  }
  return ranks;
}

double signed_rank_p(std::span<const double> differences) {
  std::vector<double> magnitudes;
  std::vector<bool> positive;
  for (const double d : differences) {
    if (d == 0) continue;
    magnitudes.push_back(std::abs(d));
    positive.push_back(d > 0);
  }
  const auto ranks = doubled_ranks(magnitudes);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) sum += positive[i] ? ranks[i] : 0;
  const auto probability = rank_sum_distribution(ranks);
  const auto at = probability.begin() + static_cast<std::ptrdiff_t>(sum);
  const double below = std::accumulate(probability.begin(), at + 1, 0.0);
  const double above = std::accumulate(at, probability.end(), 0.0);
  return std::min(1.0, 2 * std::min(below, above));
}

// How many averages to leave out at each end, plus one: the largest k with P(rank sum < k) <= tail. 0: there is none.
std::size_t averages_outside(std::size_t pairs) {
  std::vector<std::size_t> ranks(pairs);
  std::iota(ranks.begin(), ranks.end(), std::size_t{1});
  const auto probability = rank_sum_distribution(ranks);
  double below = 0;
  std::size_t k = 0;
  while (below + probability[k] <= tail) below += probability[k++];
  return k;
}

std::optional<double> scatter(std::span<const double> differences) {
  const auto n = static_cast<double>(differences.size());
  if (differences.size() < 2) return std::nullopt;
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / n;
  double squares = 0;
  for (const double d : differences) squares += (d - mean) * (d - mean);
  return std::sqrt(squares / (n - 1));
}

}  // namespace

double median(std::span<const double> values) {
  return median_of_sorted(sorted_copy(values));
}

Interval median_interval(std::span<const double> values, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> medians(resamples), sample(values.size());
  for (double& one : medians) {
    for (double& x : sample) x = values[random.below(values.size())];
    std::sort(sample.begin(), sample.end());
    one = median_of_sorted(sample);
  }
  std::sort(medians.begin(), medians.end());
  const auto outside = static_cast<std::size_t>(tail * static_cast<double>(resamples));
  return {medians[outside], medians[resamples - 1 - outside]};
}

Shift shift_of(std::span<const double> differences) {
  const std::size_t n = differences.size();
  std::vector<double> averages;
  averages.reserve(n * (n + 1) / 2);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) averages.push_back((differences[i] + differences[j]) / 2);
  std::sort(averages.begin(), averages.end());
  Shift shift{median_of_sorted(averages), std::nullopt, signed_rank_p(differences)};
  if (const std::size_t k = averages_outside(n); n >= least_pairs && k > 0)
    shift.interval = Interval{averages[k - 1], averages[averages.size() - k]};
  return shift;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(order.size() - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

std::optional<std::size_t> pairs_needed(std::span<const double> differences, double effect) {
  const auto s = scatter(differences);
  if (!s || effect == 0) return std::nullopt;
  const double root = z_sum * *s / effect;
  const double pairs = std::ceil(root * root * std::numbers::pi / 3);
  if (!(pairs <= 1e6)) return std::nullopt;
  return std::max(least_pairs, static_cast<std::size_t>(pairs));
}

std::optional<double> detectable(std::span<const double> differences) {
  const auto s = scatter(differences);
  if (!s) return std::nullopt;
  return z_sum * *s * std::sqrt(std::numbers::pi / 3 / static_cast<double>(differences.size()));
}

}  // namespace pinion::host::ab
