// Counters and gauges by name and labels. The registry owns them for its life, so that a part looks its own up once
// and then only adds. No histograms and no text format: exporters read samples().
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace pinion::host {

using Labels = std::map<std::string, std::string>;

// Only grows. [any]
class Counter {
 public:
  void add(std::uint64_t n = 1) noexcept { value_.fetch_add(n, std::memory_order_relaxed); }
  std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// Goes up and down. [any]
class Gauge {
 public:
  void set(double value) noexcept { value_.store(value, std::memory_order_relaxed); }
  double value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> value_{0};
};

struct MetricSample {
  std::string name;  // "pinion_jobs_total"
  std::string help;
  Labels labels;
  bool counter = false;
  double value = 0;         // exact below 2^53
  std::uint64_t count = 0;  // of a counter, exact
};

class Metrics {
 public:
  // The metric of this name and these labels, made at the first call; the first call's help counts. One name is either
  // a counter or a gauge: std::logic_error otherwise. Valid as long as the registry. [any]
  Counter& counter(const std::string& name, const std::string& help, const Labels& labels = {});
  Gauge& gauge(const std::string& name, const std::string& help, const Labels& labels = {});

  // Everything, by name and then labels. [any]
  std::vector<MetricSample> samples() const;

 private:
  struct Family {
    std::string help;
    bool counters = false;
    std::map<Labels, Counter> counter_by_labels;
    std::map<Labels, Gauge> gauge_by_labels;
  };
  Family& family(const std::string& name, const std::string& help, bool counters);

  mutable std::mutex mutex_;
  std::map<std::string, Family> families_;
};

}  // namespace pinion::host
