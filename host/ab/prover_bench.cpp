#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <pinion/host/ab/machine.hpp>
#include <pinion/host/ab/prover_bench.hpp>

namespace pinion::host::ab {
namespace {

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

// The table's rows by their whole path; the job's own span is the total.
std::vector<StageTime> stage_times(const std::vector<Stage>& table) {
  std::vector<StageTime> out;
  std::vector<std::string> path;
  for (const Stage& stage : table) {
    path.resize(std::min<std::size_t>(path.size(), stage.depth));
    path.push_back(stage.name);
    if (stage.depth == 0) continue;
    std::string whole;
    for (std::size_t i = 1; i < path.size(); ++i) whole += (whole.empty() ? "" : "/") + path[i];
    out.push_back({std::move(whole), seconds(stage.total), stage.bytes.count()});
  }
  return out;
}

// What the pool has lent to a job, looked at whenever one of its stages begins.
class BufferWatch {
 public:
  BufferWatch(const Prover& prover, std::string job) : prover_(prover), job_(std::move(job)) {}

  ProgressFn hook() {
    return [this](const ProveProgress&) { look(prover_.snapshot()); };
  }
  // Once the job has ended.
  std::vector<BufferSeen> take() { return std::move(seen_); }

 private:
  void look(const Snapshot& snapshot) {
    const std::lock_guard lock(mutex_);
    for (const HoldingStatus& holding : snapshot.spaces.front().holdings)
      if (holding.owner.job == job_ && holding.state == "leased")  // while it is made its allocator may still refuse it
        add({holding.purpose, holding.kind, holding.seen, holding.reserved.count()});
  }
  // Each purpose and kind once, at its largest. A device says what it sees a moment after the memory was lent.
  void add(BufferSeen now) {
    const auto same = [&](const BufferSeen& one) {
      return one.purpose == now.purpose && one.stated == now.stated &&
             (one.seen == now.seen || one.seen.empty() || now.seen.empty());
    };
    const auto at = std::find_if(seen_.begin(), seen_.end(), same);
    if (at == seen_.end()) return seen_.push_back(std::move(now));
    at->bytes = std::max(at->bytes, now.bytes);
    if (at->seen.empty()) at->seen = std::move(now.seen);
  }

  const Prover& prover_;
  const std::string job_;
  std::mutex mutex_;  // stages of several partitions begin at once
  std::vector<BufferSeen> seen_;
};

// The share of `time` in which these devices computed, on the average; nothing when one of them does not say.
std::optional<double> busy_share(const std::vector<std::string>& labels, const std::vector<DeviceStatus>& before,
                                 const std::vector<DeviceStatus>& after, double time) {
  double busy = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (std::find(labels.begin(), labels.end(), after[i].label) == labels.end()) continue;
    if (!before[i].busy || !after[i].busy) return std::nullopt;
    if (*after[i].busy < *before[i].busy) return std::nullopt;  // it may not, so it is not believed
    busy += seconds(*after[i].busy - *before[i].busy);
  }
  if (labels.empty() || !(time > 0)) return std::nullopt;
  return busy / (static_cast<double>(labels.size()) * time);
}

}  // namespace

std::string ProverBench::allocator_of(Side side) {
  prover_.use(index(side));
  std::string text;
  for (const auto& allocator : prover_.allocators()) {
    const SlabSourceInfo info = allocator->describe();
    text += fmt::format("{}{} (states {})", text.empty() ? "" : ", then ", info.name, kind_text(info.kind));
  }
  return text;
}

Swap ProverBench::turn_to(Side side) {
  const auto begin = std::chrono::steady_clock::now();
  const Bytes released = prover_.use(index(side));
  return {seconds(std::chrono::steady_clock::now() - begin), released.count()};
}

Result<Run> ProverBench::run(std::size_t job, bool look, std::stop_token stop) {
  ProveRequest request = jobs_.at(job);
  request.id = fmt::format("ab-{}", ++last_);
  const auto fallbacks = [&] { return prover_.snapshot().spaces.front().fallback_uses; };
  const std::uint64_t fallbacks_before = fallbacks();
  BufferWatch watch(prover_, request.id);
  const auto devices_before = prover_.devices();
  reset_peak();
  auto result = prover_.prove(std::move(request), std::move(stop), look ? watch.hook() : ProgressFn());
  if (!result) return result.status();
  Run run;
  run.rss_peak = peak_resident();
  run.seconds = seconds(result->elapsed);
  run.stages = stage_times(result->stages);
  run.proof = result->sha256;
  for (const PartResult& part : result->parts) {
    add_once(run.devices, part.device);
    add_once(run.formats, short_format(part.format));
  }
  run.device_busy = busy_share(run.devices, devices_before, prover_.devices(), run.seconds);
  run.fallback_uses = fallbacks() - fallbacks_before;
  run.buffers = watch.take();
  return run;
}

}  // namespace pinion::host::ab
