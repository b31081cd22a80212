// The spans of one call into a plugin. The C ABI begins and ends them by number, from any thread; they nest by thread:
// within the latest that the thread has begun and not ended, else within what the call itself is part of.
#pragma once

#include <chrono>
#include <mutex>
#include <pinion/host/report/spans.hpp>
#include <string_view>
#include <thread>
#include <vector>

namespace pinion::host {

class CallSpans {
 public:
  // `spans` and `owner` outlive this.
  CallSpans(Spans& spans, const Owner& owner, SpanId parent) : spans_(spans), owner_(owner), parent_(parent) {}

  SpanId begin(std::string_view name);                                 // [any]
  bool end(SpanId id, Bytes bytes);                                    // false: it is not running [any]
  void add(std::string_view name, std::chrono::nanoseconds duration);  // a stretch of this thread that ends now [any]

 private:
  struct Open {
    std::thread::id thread;
    SpanId id;
  };
  SpanId innermost();

  Spans& spans_;
  const Owner& owner_;
  const SpanId parent_;
  std::mutex mutex_;
  std::vector<Open> open_;
};

}  // namespace pinion::host
