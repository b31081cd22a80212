// The pinion_call of one call into a plugin: threads, cancellation, progress, spans, memory and randomness, all on
// behalf of one owner. Nothing here waits for memory. What a plugin has not returned when the call ends is taken back
// and reported against it.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <pinion/host/bridge/random.hpp>
#include <pinion/host/bridge/threads.hpp>
#include <pinion/host/memory/memory.hpp>
#include <pinion/host/plugins/calls.hpp>
#include <pinion/host/report/log.hpp>
#include <pinion/host/report/metrics.hpp>
#include <pinion/host/report/spans.hpp>

namespace pinion::host {

// Who wants to know how far a plugin's work is.
class ProgressListener {
 public:
  virtual ~ProgressListener() = default;
  virtual void progress(const Owner& owner, std::uint64_t done, std::uint64_t total) noexcept = 0;  // [any]
};

// What calls stand on; everything outlives every call.
struct BridgeParts {
  ThreadPool& threads;
  Memory& memory;
  Spans& spans;
  RandomSource& random;
  Log& log;
  Metrics& metrics;
  ProgressListener& progress;
};

// The last calls that ended, as far as a plugin that forgot a thread may still touch them.
class EndedCalls {
 public:
  void keep(std::shared_ptr<void> handle);  // [any]

 private:
  static constexpr std::size_t most_ = 4096;  // a megabyte, and minutes of calls
  std::mutex mutex_;
  std::deque<std::shared_ptr<void>> handles_;
};

class Bridge final : public CallMaker {
 public:
  explicit Bridge(const BridgeParts& parts) : parts_(parts) {}
  std::unique_ptr<PluginCall> make_call(const CallSetup& setup) override;

 private:
  BridgeParts parts_;
  EndedCalls ended_;
};

}  // namespace pinion::host
