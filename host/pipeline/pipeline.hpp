// Jobs in, results out: the queue of work and the workers that walk the stages.
//
// A worker takes one task at a time: open a request, prove one partition, or (the last of a job) join its parts. Some
// workers more take critical jobs only, so that these never wait for a worker, and end what was cancelled, or gives
// way, before its turn came. Two narrow places are handed out by rank: synthesis (pipeline.max_synthesis, which a
// critical job may exceed) and each device's starts. Shared state is only the queue, memory, admission, the devices and
// the progress board.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <pinion/host/pipeline/admission.hpp>
#include <pinion/host/pipeline/job.hpp>
#include <pinion/host/pipeline/partition.hpp>
#include <pinion/host/pipeline/queue.hpp>
#include <thread>

namespace pinion::host {

struct Workers {
  unsigned any = 1;       // for every job
  unsigned critical = 1;  // for critical jobs only
};

class Pipeline {
 public:
  // `host` and what it refers to outlive the pipeline. [main]
  Pipeline(const StageHost& host, const AttemptRules& rules, const Workers& workers);
  // Cancels what is left and waits for it.
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // Queues a request; never waits. `progress` is not called any more once wait() has returned. invalid_input: a job of
  // this id is running. [any]
  Result<std::shared_ptr<Job>> submit(ProveRequest request, ProgressFn progress);

  // The place in the order of arrival of work that is ranked with jobs and is none. [any]
  std::uint64_t next_number();

  // Returns when what jobs left behind that have their result is cleared away: their heap is trimmed after it. [any]
  void settle();

 private:
  void work(std::stop_token stop, std::uint32_t least_priority);
  void queue_open(const std::shared_ptr<Job>& job);
  void open_job(const std::shared_ptr<Job>& job);
  Result<std::vector<std::uint32_t>> open_and_plan(Job& job);
  void begin_turn(Job& job);
  void recall_cancelled(Job& job);
  void prove(const std::shared_ptr<Job>& job, std::uint32_t partition);
  static bool gave_way(const Job& job, const Status& status);
  void give_way(const std::shared_ptr<Job>& job);
  void partition_over(const std::shared_ptr<Job>& job, Result<Part> part);
  Result<ProveResult> join(Job& job);
  ProveResult summary(Job& job);
  void complete(const std::shared_ptr<Job>& job, Result<ProveResult> result);
  void trim(const Owner& owner);
  StageContext context(const Job& job, std::optional<std::uint32_t> partition) const;
  static Rank rank_of(const Job& job, std::uint32_t partition = 0) { return {job.priority_, job.number_, partition}; }

  const StageHost& host_;
  const AttemptRules rules_;
  Admission& admission_;
  TaskQueue queue_;
  std::mutex mutex_;
  std::uint64_t last_number_ = 0, submitted_ = 0;
  std::map<std::string, std::shared_ptr<Job>> running_;  // by id
  unsigned trimming_ = 0;
  std::condition_variable trimmed_;
  std::vector<std::jthread> workers_;
};

}  // namespace pinion::host
