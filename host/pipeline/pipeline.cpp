#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/base/units.hpp>
#include <pinion/host/memory/heap.hpp>
#include <pinion/host/pipeline/pipeline.hpp>
#include <pinion/host/plugins/sha256.hpp>
#include <set>

namespace pinion::host {

Result<ProveResult> Job::wait() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return result_.has_value(); });
  return std::move(*result_);
}

Pipeline::Pipeline(const StageHost& host, const AttemptRules& rules, const Workers& workers)
    : host_(host), rules_(rules), admission_(host.admission) {
  const auto hire = [this](unsigned count, std::uint32_t least_priority) {
    for (unsigned i = 0; i < count; ++i)
      workers_.emplace_back([this, least_priority](std::stop_token stop) { work(stop, least_priority); });
  };
  hire(workers.any, 0);
  hire(workers.critical, PINION_PRIORITY_CRITICAL);
}

Pipeline::~Pipeline() {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, job] : running_) job->cancel();
  }
  for (;;) {
    std::shared_ptr<Job> job;
    {
      const std::lock_guard lock(mutex_);
      if (running_.empty()) break;
      job = running_.begin()->second;
    }
    std::unique_lock lock(job->mutex_);
    job->arrived_.wait(lock, [&] { return job->result_.has_value(); });
  }
}

Result<std::shared_ptr<Job>> Pipeline::submit(ProveRequest request, ProgressFn progress) {
  if (request.priority > PINION_PRIORITY_CRITICAL)
    return Status(Code::invalid_input, fmt::format("priority {}: from {} to {}, or 0 for that of its kind",
                                                   request.priority, PINION_PRIORITY_LOW, PINION_PRIORITY_CRITICAL));
  std::shared_ptr<Job> job;
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = ++last_number_;
    std::uint64_t free = ++submitted_;
    std::string id = request.id.empty() ? fmt::format("job-{}", free) : request.id;
    while (request.id.empty() && running_.contains(id)) id = fmt::format("job-{}", ++free);  // somebody chose that one
    if (running_.contains(id)) return Status(Code::invalid_input, fmt::format("a job \"{}\" is running already", id));
    job = std::make_shared<Job>(std::move(id), number, std::move(request), host_.clock.now());
    running_.emplace(job->id(), job);
  }
  job->priority_ = priority_before_open(host_.registry, job->request_);
  job->recall_.emplace(job->stop_.get_token(), [this, number = job->number_] {
    admission_.recall(number);
    queue_.hurry(number);
  });
  job->span_ = host_.spans.begin("prove", {job->id(), std::nullopt, ""});
  host_.progress.add(job->id(), std::move(progress));
  queue_open(job);
  return job;
}

std::uint64_t Pipeline::next_number() {
  const std::lock_guard lock(mutex_);
  return ++last_number_;
}

void Pipeline::work(std::stop_token stop, std::uint32_t least_priority) {
  while (auto task = queue_.pop(stop, least_priority)) (*task)();
}

StageContext Pipeline::context(const Job& job, std::optional<std::uint32_t> partition) const {
  return {host_,
          {job.id(), partition, ""},
          rank_of(job, partition.value_or(0)),
          job.stop_.get_token(),
          job.span_,
          job.opened_ ? job.opened_->kind().id : "",
          partition ? job.turn_.get_token() : std::stop_token()};
}

void Pipeline::queue_open(const std::shared_ptr<Job>& job) {
  queue_.push(
      rank_of(*job), [this, job] { open_job(job); }, job->stop_.get_token());
}

// Lets the job in, opens it and queues its partitions; or leaves it waiting, to come here again.
void Pipeline::open_job(const std::shared_ptr<Job>& job) {
  if (job->stop_.stop_requested()) return complete(job, Status(Code::cancelled, "cancelled before it began"));
  const auto cost = open_cost(host_.registry, job->request_);
  if (!cost) return complete(job, cost.status());
  if (admission_.enter(rank_of(*job), *cost, job->reach_.largest_claim, [this, job] { queue_open(job); })) {
    const auto partitions = open_and_plan(*job);
    if (!partitions) return complete(job, partitions.status());
    auto reach = reach_of(context(*job, std::nullopt), *job->opened_);
    if (!reach) return complete(job, reach.status());
    job->reach_ = std::move(*reach);
    begin_turn(*job);
    if (admission_.confirm(rank_of(*job), job->reach_.largest_claim,
                           [turn = job->turn_]() mutable { turn.request_stop(); })) {
      job->left_ = partitions->size();
      host_.progress.opened(job->id(), job->opened_->kind().id, job->priority_, *partitions);
      for (const std::uint32_t k : *partitions)
        queue_.push(
            rank_of(*job, k), [this, job, k] { prove(job, k); }, job->turn_.get_token());
      return;
    }
    job->opened_.reset();
    admission_.wait(rank_of(*job), [this, job] { queue_open(job); });
  }
  recall_cancelled(*job);
}

// From where it waits on a job may be at work in another thread; a cancellation that came before it waited found nobody
// waiting.
void Pipeline::recall_cancelled(Job& job) {
  if (job.stop_.stop_requested()) admission_.recall(job.number_);
}

// What ends the job ends its turn. Its partitions that no worker has taken have nothing to do then, and would wait for
// ever where every worker waits for the memory that the job holds.
void Pipeline::begin_turn(Job& job) {
  job.turn_ = std::stop_source();
  job.turn_over_.emplace(job.turn_.get_token(), [this, number = job.number_] { queue_.hurry(number); });
  job.ends_turn_.emplace(job.stop_.get_token(), [turn = job.turn_]() mutable { turn.request_stop(); });
}

// Parses the request. Returns the partitions still wanted of it.
Result<std::vector<std::uint32_t>> Pipeline::open_and_plan(Job& job) {
  auto opened = open(context(job, std::nullopt), job.request_);
  if (!opened) return opened.status();
  job.opened_ = std::make_shared<Opened>(std::move(*opened));
  const Kind& kind = job.opened_->kind();
  if (job.request_.priority == 0) job.priority_ = kind.priority;
  const auto plan = job.opened_->plan(kind.formats.front());
  if (!plan) return plan.status();
  const std::uint32_t count = (*plan)->partitions;
  std::vector<std::uint32_t> wanted;
  if (const auto& only = job.request_.partition) {
    if (*only >= count)
      return Status(Code::invalid_input,
                    fmt::format("there is no partition {}; {} has {}, from 0", *only, kind.id, count));
    wanted.push_back(*only);
  } else {
    for (std::uint32_t k = 0; k < count; ++k) wanted.push_back(k);
  }
  job.wanted_ = wanted.size();
  std::erase_if(wanted, [&job](std::uint32_t k) {
    return std::any_of(job.parts_.begin(), job.parts_.end(),
                       [k](const Part& part) { return part.result.partition == k; });
  });
  return wanted;
}

void Pipeline::prove(const std::shared_ptr<Job>& job, std::uint32_t partition) {
  if (job->turn_.stop_requested()) return partition_over(job, Status(Code::cancelled, "cancelled before it began"));
  StageContext here = context(*job, partition);
  auto part = [&] {
    const Span span = host_.spans.open("partition", here.owner, job->span_);
    here.parent = span.id();
    return prove_partition(here, job->opened_, job->reach_, rules_);
  }();
  if (!gave_way(*job, part.status())) host_.progress.partition_done(here.owner, part.ok());
  partition_over(job, std::move(part));
}

// Whether a partition ended only because its job is to give way.
bool Pipeline::gave_way(const Job& job, const Status& status) {
  return status.code() == Code::cancelled && job.turn_.stop_requested() && !job.stop_.stop_requested();
}

void Pipeline::partition_over(const std::shared_ptr<Job>& job, Result<Part> part) {
  Status failure;
  {
    const std::lock_guard lock(job->mutex_);
    if (part)
      job->parts_.push_back(std::move(*part));
    else if (!gave_way(*job, part.status()) && job->failure_.ok())
      job->failure_ = part.status();
    if (!job->failure_.ok()) job->stop_.request_stop();  // the rest of it is of no use
    if (--job->left_ > 0) return;
    failure = job->failure_;
  }
  // The last of its partitions: nobody else touches the job now.
  if (!failure.ok()) return complete(job, std::move(failure));
  if (job->parts_.size() < job->wanted_) return give_way(job);
  complete(job, join(*job));
}

// Closes a job that has partitions left and lets it wait to be let in again.
void Pipeline::give_way(const std::shared_ptr<Job>& job) {
  host_.log.warn("{} gives way: others could not get the memory they wait for beside its request", job->id());
  job->opened_.reset();
  admission_.step_aside(rank_of(*job), [this, job] { queue_open(job); });
  host_.memory.look_again();  // where it held nothing, who waits would not notice, and ask no other to give way
  recall_cancelled(*job);
}

Result<ProveResult> Pipeline::join(Job& job) {
  std::sort(job.parts_.begin(), job.parts_.end(),
            [](const Part& a, const Part& b) { return a.result.partition < b.result.partition; });
  std::vector<std::uint8_t> proof;
  if (!job.request_.parts_only && !job.request_.partition) {
    std::vector<std::vector<std::uint8_t>> parts;
    for (const Part& part : job.parts_) parts.push_back(part.result.bytes);
    auto joined = assemble(context(job, std::nullopt), *job.opened_, parts);
    if (!joined) return joined.status();
    proof = std::move(*joined);
  }
  ProveResult result = summary(job);
  result.proof = std::move(proof);
  Sha256 digest;
  digest.add(result.proof);
  if (result.proof.empty())
    for (const PartResult& part : result.parts) digest.add(part.bytes);
  result.sha256 = digest.finish();
  return result;
}

ProveResult Pipeline::summary(Job& job) {
  ProveResult result;
  const Opened& opened = *job.opened_;
  result.job = job.id();
  result.kind = opened.kind().id;
  result.title = opened.kind().title;
  const auto plan = job.opened_->plan(opened.kind().formats.front());
  result.partitions = plan ? (*plan)->partitions : 0;
  std::set<std::string> used{opened.proof().proof->id()};
  if (!host_.registry.allocators().empty()) used.insert(host_.registry.allocators().front()->id());
  for (Part& part : job.parts_) {
    used.insert(part.result.backend);
    if (host_.devices.all()[part.device].backend != 0) result.degraded = true;
    result.parts.push_back(std::move(part.result));
  }
  for (const auto& instance : host_.registry.instances())
    if (used.contains(instance->id()))
      result.plugins.push_back(fmt::format("{} {}", instance->id(), instance->library().info().version));
  return result;
}

void Pipeline::complete(const std::shared_ptr<Job>& job, Result<ProveResult> result) {
  job->recall_.reset();
  job->turn_over_.reset();
  job->opened_.reset();  // closes the session and gives its bytes back before anybody is told
  admission_.leave(job->number_);
  host_.spans.end(job->span_);
  if (result) {
    result->elapsed = host_.clock.now() - job->submitted_;
    result->stages = stage_table(host_.spans.records_of(job->id(), job->submitted_));
    if (host_.log.enabled(LogLevel::info))
      for (const std::string& line : stage_lines(result->stages)) host_.log.info("timing {} {}", job->id(), line);
  }
  host_.progress.finished(job->id(), result.status());
  {
    const std::lock_guard lock(mutex_);
    running_.erase(job->id());
    ++trimming_;
  }
  {
    const std::lock_guard lock(job->mutex_);
    job->result_ = std::move(result);
  }
  job->arrived_.notify_all();
  trim({job->id(), std::nullopt, ""});
}

// What the job freed goes back to the OS, when its result is out.
void Pipeline::trim(const Owner& owner) {
  const TimePoint begin = host_.clock.now();
  Bytes bytes;
  {
    Span span = host_.spans.open("trim", owner);
    bytes = trim_heap();
    span.add_bytes(bytes);
  }
  host_.log.info("timing {} trim: {} of heap given back in {}", owner.job, human_text(bytes),
                 human_text(std::chrono::nanoseconds(host_.clock.now() - begin)));
  const std::lock_guard lock(mutex_);
  --trimming_;
  trimmed_.notify_all();
}

void Pipeline::settle() {
  std::unique_lock lock(mutex_);
  trimmed_.wait(lock, [this] { return trimming_ == 0; });
}

}  // namespace pinion::host
