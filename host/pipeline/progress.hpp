// Where each job stands, kept for two readers: whoever asked for the job (a progress bar) and the status page.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/bridge/call.hpp>
#include <pinion/host/pipeline/request.hpp>
#include <pinion/host/report/snapshot.hpp>

namespace pinion::host {

class ProgressBoard final : public ProgressListener {
 public:
  explicit ProgressBoard(const Clock& clock) : clock_(clock) {}

  // A job appears, queued. `fn` may be empty. [any]
  void add(const std::string& job, ProgressFn fn);
  // It was opened: what it is, and which partitions are to be proved. Again after it gave way to others, for those that
  // are left. [any]
  void opened(const std::string& job, const std::string& kind, std::uint32_t priority,
              const std::vector<std::uint32_t>& partitions);
  // A stage begins. [any]
  void stage(const Owner& owner, const std::string& name);
  // A partition is tried (again) on a device. [any]
  void attempt(const Owner& owner, const std::string& device);
  // Passed on at most twenty times a second per partition. [any]
  void progress(const Owner& owner, std::uint64_t done, std::uint64_t total) noexcept override;
  void partition_done(const Owner& owner, bool succeeded);
  // The job is over: "completed", "failed" or "cancelled". The latest of these stay for status. [any]
  void finished(const std::string& job, const Status& status);

  std::vector<JobStatus> snapshot() const;  // oldest first [any]

 private:
  struct Partition {
    std::string state = "queued";
    std::string device;
    std::uint32_t attempts = 0;
    TimePoint since;
    TimePoint told;
  };
  struct Job {
    std::shared_ptr<const ProgressFn> fn;
    JobStatus status;
    TimePoint begun;
    std::optional<TimePoint> ended;
    Partition whole;  // stages of the job itself: open, assemble
    std::map<std::uint32_t, Partition> partitions;
    std::uint32_t done = 0;
  };
  Job* find(const std::string& job);
  static Partition& part_of(Job& job, const Owner& owner);
  // Calls the job's function without the lock.
  void tell(std::unique_lock<std::mutex> lock, const Job& job, const Owner& owner, std::uint64_t done,
            std::uint64_t total) const;

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Job>> jobs_;
};

}  // namespace pinion::host
