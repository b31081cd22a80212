#include <algorithm>
#include <pinion/host/pipeline/progress.hpp>

namespace pinion::host {
namespace {

constexpr std::size_t most_finished = 100;
constexpr auto least_interval = std::chrono::milliseconds(50);

Duration since(TimePoint from, TimePoint to) {
  return std::chrono::duration_cast<Duration>(to - from);
}

}  // namespace

ProgressBoard::Job* ProgressBoard::find(const std::string& id) {
  const auto at = std::find_if(jobs_.rbegin(), jobs_.rend(), [&](const auto& job) { return job->status.id == id; });
  return at == jobs_.rend() ? nullptr : at->get();
}

ProgressBoard::Partition& ProgressBoard::part_of(Job& job, const Owner& owner) {
  return owner.partition ? job.partitions[*owner.partition] : job.whole;
}

void ProgressBoard::tell(std::unique_lock<std::mutex> lock, const Job& job, const Owner& owner, std::uint64_t done,
                         std::uint64_t total) const {
  const auto fn = job.fn;
  if (!fn || !*fn) return;
  const auto at = owner.partition ? job.partitions.find(*owner.partition) : job.partitions.end();
  ProveProgress progress{owner.job,
                         owner.partition,
                         job.done,
                         static_cast<std::uint32_t>(job.partitions.size()),
                         at == job.partitions.end() ? job.whole.state : at->second.state,
                         done,
                         total};
  lock.unlock();
  (*fn)(progress);
}

void ProgressBoard::add(const std::string& id, ProgressFn fn) {
  auto job = std::make_unique<Job>();
  job->fn = std::make_shared<const ProgressFn>(std::move(fn));
  job->status.id = id;
  job->status.state = "queued";
  job->begun = clock_.now();
  const std::lock_guard lock(mutex_);
  // What ended long ago makes room; what runs always stays.
  const auto ended = static_cast<std::size_t>(
      std::count_if(jobs_.begin(), jobs_.end(), [](const auto& other) { return other->ended.has_value(); }));
  if (ended >= most_finished)
    jobs_.erase(std::find_if(jobs_.begin(), jobs_.end(), [](const auto& other) { return other->ended.has_value(); }));
  jobs_.push_back(std::move(job));
}

void ProgressBoard::opened(const std::string& id, const std::string& kind, std::uint32_t priority,
                           const std::vector<std::uint32_t>& partitions) {
  const std::lock_guard lock(mutex_);
  Job* job = find(id);
  if (!job) return;
  job->status.kind = kind;
  job->status.state = "running";
  job->status.priority = priority;
  for (const std::uint32_t k : partitions) {
    Partition& part = job->partitions[k];
    part.state = "queued";
    part.since = clock_.now();
  }
}

void ProgressBoard::stage(const Owner& owner, const std::string& name) {
  std::unique_lock lock(mutex_);
  Job* job = find(owner.job);
  if (!job) return;
  Partition& part = part_of(*job, owner);
  part.state = name;
  part.since = part.told = clock_.now();
  tell(std::move(lock), *job, owner, 0, 0);
}

void ProgressBoard::attempt(const Owner& owner, const std::string& device) {
  const std::lock_guard lock(mutex_);
  Job* job = find(owner.job);
  if (!job) return;
  Partition& part = part_of(*job, owner);
  part.device = device;
  ++part.attempts;
}

void ProgressBoard::progress(const Owner& owner, std::uint64_t done, std::uint64_t total) noexcept {
  std::unique_lock lock(mutex_);
  Job* job = find(owner.job);
  if (!job) return;
  Partition& part = part_of(*job, owner);
  const TimePoint now = clock_.now();
  if (done != total && now - part.told < least_interval) return;
  part.told = now;
  tell(std::move(lock), *job, owner, done, total);
}

void ProgressBoard::partition_done(const Owner& owner, bool succeeded) {
  std::unique_lock lock(mutex_);
  Job* job = find(owner.job);
  if (!job) return;
  Partition& part = part_of(*job, owner);
  part.state = succeeded ? "done" : "failed";
  part.since = clock_.now();
  if (succeeded) ++job->done;
  tell(std::move(lock), *job, owner, 0, 0);
}

void ProgressBoard::finished(const std::string& id, const Status& status) {
  const std::lock_guard lock(mutex_);
  Job* job = find(id);
  if (!job) return;
  job->fn.reset();
  job->ended = clock_.now();
  job->status.state = status.ok() ? "completed" : status.code() == Code::cancelled ? "cancelled" : "failed";
  job->status.error = status.message();
}

std::vector<JobStatus> ProgressBoard::snapshot() const {
  const std::lock_guard lock(mutex_);
  const TimePoint now = clock_.now();
  std::vector<JobStatus> out;
  for (const auto& job : jobs_) {
    JobStatus status = job->status;
    status.age = since(job->begun, now);
    for (const auto& [index, part] : job->partitions)
      status.partitions.push_back(
          {index, part.state, part.device, part.attempts, since(part.since, job->ended.value_or(now))});
    out.push_back(std::move(status));
  }
  return out;
}

}  // namespace pinion::host
