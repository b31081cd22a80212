#include <pinion/host/report/metrics.hpp>
#include <stdexcept>

namespace pinion::host {

Metrics::Family& Metrics::family(const std::string& name, const std::string& help, bool counters) {
  const auto [it, made] = families_.try_emplace(name);
  if (made) {
    it->second.help = help;
    it->second.counters = counters;
  }
  if (it->second.counters != counters) throw std::logic_error("metric " + name + " is both a counter and a gauge");
  return it->second;
}

Counter& Metrics::counter(const std::string& name, const std::string& help, const Labels& labels) {
  const std::lock_guard lock(mutex_);
  return family(name, help, true).counter_by_labels[labels];
}

Gauge& Metrics::gauge(const std::string& name, const std::string& help, const Labels& labels) {
  const std::lock_guard lock(mutex_);
  return family(name, help, false).gauge_by_labels[labels];
}

std::vector<MetricSample> Metrics::samples() const {
  const std::lock_guard lock(mutex_);
  std::vector<MetricSample> out;
  for (const auto& [name, family] : families_) {
    for (const auto& [labels, counter] : family.counter_by_labels) {
      const std::uint64_t count = counter.value();
      out.push_back({name, family.help, labels, true, static_cast<double>(count), count});
    }
    for (const auto& [labels, gauge] : family.gauge_by_labels) {
      out.push_back({name, family.help, labels, false, gauge.value(), 0});
    }
  }
  return out;
}

}  // namespace pinion::host
