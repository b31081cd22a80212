// A host small enough for a plugin's own tests: it records what the plugin says, charges what it takes, cancels when
// told to, and reports each broken rule instead of dying of it. Not a prover: pinion itself runs plugins for real.
#pragma once

#include <pinion/host.h>
#include <pinion/memory.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "guard_buffer.hpp"

namespace pinion::testing {

class FakeHost {
 public:
  struct Line {
    std::int32_t level;
    std::string text;
  };

  // width: what calls will say; 0: this host does not tell before there is one.
  explicit FakeHost(std::uint32_t width = 0);
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;

  const pinion_host* table() const noexcept { return &table_; }
  // What the plugin logged so far.
  std::vector<Line> lines() const;

 private:
  friend struct FakeHostTable;
  std::uint32_t width_;
  pinion_host table_{};
  mutable std::mutex mutex_;
  std::vector<Line> lines_;
};

struct CallSettings {
  unsigned threads = 2;                     // of `parallel`
  std::uint64_t memory = UINT64_MAX;        // bytes of reserve and acquire, per space
  std::uint64_t cancel_after = UINT64_MAX;  // polls of `cancelled` that still say no
  std::vector<std::uint8_t> random = {};    // handed out by `random` first
  std::uint64_t seed = 1;                   // then a stream that this seed fixes
};

// One call's worth of host, for the thread that makes it: that thread and those of `parallel` are its workers.
class FakeCall {
 public:
  explicit FakeCall(CallSettings settings = {});
  FakeCall(const FakeCall&) = delete;
  FakeCall& operator=(const FakeCall&) = delete;

  const pinion_call* table() const noexcept { return &table_; }
  void cancel() noexcept { cancel_.store(true, std::memory_order_relaxed); }

  std::uint64_t polls() const noexcept { return polls_.load(); }
  std::uint64_t peak_bytes(std::uint32_t space = PINION_SPACE_HOST) const;
  // Names of the spans, in order of their end.
  std::vector<std::string> spans() const;
  // What the plugin still holds: a sentence each; empty when it gave everything back.
  std::vector<std::string> leaks() const;
  // Rules it broke: give-backs of what it did not have, [worker] functions from foreign threads, spans ended twice …
  std::vector<std::string> violations() const;

 private:
  friend struct FakeCallTable;
  struct Ledger {
    std::uint64_t used = 0, peak = 0;
  };
  bool charge(std::uint32_t space, std::uint64_t bytes);
  void violate(std::string sentence);
  void require_worker(const char* function);

  CallSettings settings_;
  pinion_call table_{};
  std::thread::id owner_;
  std::atomic<bool> cancel_{false};
  std::atomic<std::uint64_t> polls_{0};
  mutable std::mutex mutex_;
  std::map<std::uint32_t, Ledger> ledgers_;
  std::map<std::uint32_t, std::uint64_t> reserved_;
  std::map<std::uint64_t, std::unique_ptr<GuardBuffer>> buffers_;
  std::map<std::uint64_t, std::string> open_spans_;
  std::vector<std::string> ended_spans_, violations_;
  std::uint64_t next_id_ = 1, random_used_ = 0;
};

}  // namespace pinion::testing
