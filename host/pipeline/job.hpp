// The host's record of one request: what was asked, how far it is, and the place where its result arrives.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <pinion/host/pipeline/stage.hpp>
#include <stop_token>
#include <vector>

namespace pinion::host {

class Job {
 public:
  Job(std::string id, std::uint64_t number, ProveRequest request, TimePoint submitted)
      : id_(std::move(id)), number_(number), request_(std::move(request)), submitted_(submitted) {}

  const std::string& id() const noexcept { return id_; }
  // Ends it as soon as its plugins notice. [any]
  void cancel() noexcept { stop_.request_stop(); }
  // Waits for the result; once, since the result is moved out. [any]
  Result<ProveResult> wait();

 private:
  friend class Pipeline;

  const std::string id_;
  const std::uint64_t number_;
  const ProveRequest request_;
  const TimePoint submitted_;
  std::stop_source stop_;
  SpanId span_;
  std::uint32_t priority_ = 0;
  std::shared_ptr<Opened> opened_;
  Reach reach_;  // once it was open
  // Of the time that it is open: requested when it should give way to others, or end.
  std::stop_source turn_;
  std::optional<std::stop_callback<std::function<void()>>> ends_turn_, turn_over_;
  // A cancelled job does not wait to be let in.
  std::optional<std::stop_callback<std::function<void()>>> recall_;

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::size_t wanted_ = 0;  // partitions to be proved in all
  std::size_t left_ = 0;    // of them still at work, or about to be
  Status failure_;          // the first there was
  std::vector<Part> parts_;
  std::optional<Result<ProveResult>> result_;
};

}  // namespace pinion::host
