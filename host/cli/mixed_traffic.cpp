#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <pinion/host/cli/mixed_traffic.hpp>
#include <thread>

namespace pinion::host::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Reads what is charged, a few thousand times a second.
class Sampler {
 public:
  explicit Sampler(Prover& prover) : budget_(prover.snapshot().spaces.front().budget) {
    thread_ = std::jthread([this, &prover](std::stop_token stop) {
      while (!stop.stop_requested()) {
        const Bytes used = prover.memory_used();
        ++samples_;
        over_ += used > budget_ ? 1 : 0;
        most_ = std::max(most_, used);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    });
  }
  void finish(TrafficFigures& figures) {
    thread_.request_stop();
    thread_.join();
    figures.sampled = Clock::now() - begin_;
    figures.samples = samples_;
    figures.over = over_;
    figures.most_seen = most_;
  }

 private:
  const Bytes budget_;
  const Clock::time_point begin_ = Clock::now();
  std::uint64_t samples_ = 0, over_ = 0;
  Bytes most_;
  std::jthread thread_;
};

// What all jobs share.
struct Traffic {
  Prover& prover;
  const std::stop_token stop;
  std::mutex mutex;                     // of the figures
  Clock::time_point begin;              // of all but the first critical jobs
  std::atomic<unsigned> ordinary_left;  // ordinary jobs that have not ended
};

// One job, into the figures of its kind. Number 0, the first of a critical kind, only says what it waited for. Traces
// name it by kind and number.
void run_job(Traffic& traffic, const TrafficKind& of, unsigned number, KindFigures& figures) {
  ProveRequest request = of.request;
  request.id = fmt::format("{} {}", of.kind->id, number);
  const bool alone = traffic.ordinary_left == 0;
  const auto submitted = Clock::now();
  std::optional<std::chrono::nanoseconds> start;
  std::mutex start_mutex;
  const auto result = traffic.prover.prove(std::move(request), traffic.stop, [&](const ProveProgress& now) {
    if (now.stage != "start") return;
    const std::lock_guard lock(start_mutex);
    if (!start) start = Clock::now() - submitted;
  });
  const auto ended = Clock::now();
  const auto latency = ended - submitted;
  if (!figures.critical) --traffic.ordinary_left;
  const Status verified = result ? traffic.prover.verify(of.request, result->proof, traffic.stop) : result.status();
  const std::lock_guard lock(traffic.mutex);
  if (verified.code() == Code::cancelled) {
    figures.stopped += number == 0 ? 0 : 1;
    return;
  }
  if (!verified.ok()) return figures.failures.push_back(verified);
  if (number == 0) {
    figures.first_start = start.value_or(latency);
  } else {
    figures.latencies.push_back(latency);
    if (start) figures.starts.push_back(*start);
    figures.elapsed = std::max(figures.elapsed, ended - traffic.begin);
    if (figures.critical && alone) ++figures.alone;
  }
  for (const PartResult& part : result->parts) figures.longest_step = std::max(figures.longest_step, part.times.start);
}

std::vector<std::string> texts(const std::vector<Status>& failures) {
  std::vector<std::string> out;
  for (const Status& failure : failures) out.push_back(failure.text());
  return out;
}

nlohmann::ordered_json times_json(const std::vector<std::chrono::nanoseconds>& ascending) {
  const auto milliseconds = [](std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e6; };
  return {{"p50", milliseconds(quantile(ascending, 0.5))},
          {"p99", milliseconds(quantile(ascending, 0.99))},
          {"longest", milliseconds(ascending.empty() ? std::chrono::nanoseconds() : ascending.back())}};
}

}  // namespace

std::uint64_t TrafficFigures::slabs_shared() const {
  return static_cast<std::uint64_t>(std::count_if(host().slabs.begin(), host().slabs.end(),
                                                  [](const SlabStatus& slab) { return slab.labels.size() > 1; }));
}

std::uint64_t TrafficFigures::kind_changes() const {
  std::uint64_t sum = 0;
  for (const HandoverStatus& handover : host().handovers) sum += handover.count;
  return sum;
}

std::size_t TrafficFigures::stopped() const {
  return std::accumulate(kinds.begin(), kinds.end(), std::size_t{0},
                         [](std::size_t sum, const KindFigures& kind) { return sum + kind.stopped; });
}

std::size_t TrafficFigures::proven() const {
  return std::accumulate(kinds.begin(), kinds.end(), std::size_t{0},
                         [](std::size_t sum, const KindFigures& kind) { return sum + kind.latencies.size(); });
}

Status TrafficFigures::status() const {
  const bool within = over == 0 && std::all_of(spaces.begin(), spaces.end(),
                                               [](const auto& space) { return space.high_water <= space.budget; });
  if (!within) return {Code::internal, "the budget was exceeded; see above"};
  std::optional<Code> common;
  for (const KindFigures& kind : kinds)
    for (const Status& failure : kind.failures)
      common = !common || *common == failure.code() ? failure.code() : Code::internal;
  return common ? Status(*common, "not all of it was proven; see above") : Status();
}

std::chrono::nanoseconds quantile(const std::vector<std::chrono::nanoseconds>& ascending, double share) {
  if (ascending.empty()) return {};
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(ascending.size())));
  return ascending[std::clamp<std::size_t>(rank, 1, ascending.size()) - 1];
}

double KindFigures::per_hour() const {
  return latencies.empty()
             ? 0
             : 3600 * static_cast<double>(latencies.size()) / std::chrono::duration<double>(elapsed).count();
}

TrafficFigures run_traffic(Prover& prover, const std::vector<TrafficKind>& kinds, std::stop_token stop) {
  TrafficFigures figures;
  figures.kinds.resize(kinds.size());
  Sampler sampler(prover);
  Traffic traffic{prover, stop, {}, {}, 0};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    KindFigures& out = figures.kinds[i];
    out.kind = kinds[i].kind->id;
    out.critical = kinds[i].kind->priority >= PINION_PRIORITY_CRITICAL;
    if (out.critical)
      run_job(traffic, kinds[i], 0, out);
    else
      traffic.ordinary_left += kinds[i].jobs;
  }
  traffic.begin = Clock::now();
  {
    std::vector<std::jthread> clients;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const TrafficKind& kind = kinds[i];
      KindFigures& out = figures.kinds[i];
      const unsigned clients_of_kind = out.critical ? 1 : kind.jobs;
      for (unsigned client = 0; client < clients_of_kind; ++client)
        clients.emplace_back([&, client, rounds = kind.jobs / clients_of_kind] {
          for (unsigned round = 1; round <= rounds; ++round) run_job(traffic, kind, client * rounds + round, out);
        });
    }
  }
  figures.elapsed = Clock::now() - traffic.begin;
  sampler.finish(figures);
  for (KindFigures& kind : figures.kinds) {
    std::sort(kind.latencies.begin(), kind.latencies.end());
    std::sort(kind.starts.begin(), kind.starts.end());
  }
  figures.spaces = prover.snapshot().spaces;
  return figures;
}

nlohmann::ordered_json to_json(const TrafficFigures& figures) {
  const double seconds = std::chrono::duration<double>(figures.elapsed).count();
  auto kinds = nlohmann::ordered_json::array();
  for (const KindFigures& kind : figures.kinds)
    kinds.push_back({{"kind", kind.kind},
                     {"critical", kind.critical},
                     {"jobs", kind.latencies.size()},
                     {"failures", texts(kind.failures)},
                     {"stopped", kind.stopped},
                     {"per_hour", kind.per_hour()},
                     {"alone", kind.alone},
                     {"latency_ms", times_json(kind.latencies)},
                     {"start_ms", times_json(kind.starts)},
                     {"first_start_ms", static_cast<double>(kind.first_start.count()) / 1e6},
                     {"longest_device_step_ms", static_cast<double>(kind.longest_step.count()) / 1e6}});
  auto handovers = nlohmann::ordered_json::array();
  for (const HandoverStatus& handover : figures.host().handovers)
    handovers.push_back({{"from", handover.from}, {"to", handover.to}, {"count", handover.count}});
  auto spaces = nlohmann::ordered_json::array();
  for (const SpaceStatus& space : figures.spaces)
    spaces.push_back({{"space", space.name},
                      {"budget", space.budget.count()},
                      {"high_water", space.high_water.count()},
                      {"resident_loads", space.resident_loads},
                      {"residents_dropped", space.evicted_residents}});
  return {{"elapsed_s", seconds},
          {"kinds", kinds},
          {"spaces", spaces},
          {"memory",
           {{"budget", figures.host().budget.count()},
            {"high_water", figures.host().high_water.count()},
            {"samples", figures.samples},
            {"samples_per_s",
             static_cast<double>(figures.samples) / std::chrono::duration<double>(figures.sampled).count()},
            {"most_sampled", figures.most_seen.count()},
            {"samples_over_budget", figures.over}}},
          {"slabs",
           {{"made", figures.host().slabs_made},
            {"reused", figures.host().slabs_reused},
            {"kind_changes", figures.kind_changes()},
            {"served_several_kinds", figures.slabs_shared()},
            {"handovers", handovers}}}};
}

}  // namespace pinion::host::cli
