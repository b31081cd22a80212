// How long things took: begin and end of named stretches of work, for whom, and how many bytes they moved. Nestable,
// about a microsecond a span, bounded in memory. The stage table and traces are made from the records, and sums of all
// there ever were are metrics; nothing here prints.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/clock.hpp>
#include <pinion/host/base/ids.hpp>
#include <pinion/host/report/metrics.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pinion::host {

using SpanId = Id<struct SpanSort>;

struct SpanRecord {
  SpanId id;
  SpanId parent;  // the span it was begun within; none for a root
  std::string name;
  Owner owner;
  std::string device;        // the device at work, "" for the host
  std::uint32_t thread = 0;  // 0, 1, …, in order of first use
  bool moved = false;        // it ended on another thread
  TimePoint begin;
  TimePoint end;
  Bytes bytes;  // moved within it; 0 when the figure means nothing

  std::chrono::nanoseconds duration() const { return end - begin; }
  // Bytes a second; 0 when there are none, or no time.
  double rate() const;
};

class Spans;

// One running span; ends when it goes out of scope.
class Span {
 public:
  Span() noexcept = default;
  Span(Span&& other) noexcept;
  Span& operator=(Span&& other) noexcept;
  ~Span() { end(); }

  // A span within this one, for the same owner. [any]
  Span child(std::string_view name) const;
  void add_bytes(Bytes bytes) noexcept { bytes_ += bytes; }
  SpanId id() const noexcept { return id_; }
  void end() noexcept;

 private:
  friend class Spans;
  Span(Spans* spans, SpanId id) noexcept : spans_(spans), id_(id) {}
  Spans* spans_ = nullptr;
  SpanId id_;
  Bytes bytes_;
};

class Spans {
 public:
  // Keeps the latest `capacity` finished spans; earlier ones are counted as dropped. Sums by name go to `metrics` where
  // there are any: pinion_span_seconds_total and the like. `clock` and `metrics` outlive this.
  explicit Spans(const Clock& clock, std::size_t capacity = 1 << 16, Metrics* metrics = nullptr)
      : clock_(clock), capacity_(capacity), metrics_(metrics) {}

  Span open(std::string_view name, const Owner& owner = {}, SpanId parent = {}, std::string_view device = {});

  // The same by id, for callers that cannot hold a Span (the C ABI). Ending twice, or an id that is not running,
  // returns false and records nothing. [any]
  SpanId begin(std::string_view name, const Owner& owner = {}, SpanId parent = {}, std::string_view device = {});
  bool end(SpanId id, Bytes bytes = {});
  // A stretch that ends now and began `duration` ago on this thread. [any]
  void add(std::string_view name, const Owner& owner, SpanId parent, std::chrono::nanoseconds duration);

  // Finished spans in the order of their ends. [any]
  std::vector<SpanRecord> records() const;
  // Those of one job, which began no earlier than `since`. [any]
  std::vector<SpanRecord> records_of(const std::string& job, TimePoint since) const;
  // Spans begun and not yet ended, oldest first: what is running now. [any]
  std::vector<SpanRecord> running() const;
  std::uint64_t dropped() const;

 private:
  friend class Span;
  // What is summed of all spans of one name.
  struct Sums {
    Counter *count, *nanoseconds, *bytes;
  };
  std::uint32_t thread_number();
  void finish(SpanRecord record);
  Sums& sums_of(const std::string& name);

  const Clock& clock_;
  const std::size_t capacity_;
  Metrics* const metrics_;
  mutable std::mutex mutex_;
  std::uint64_t last_id_ = 0;
  std::uint64_t dropped_ = 0;
  std::unordered_map<std::uint64_t, SpanRecord> running_;
  std::unordered_map<std::uint64_t, std::uint32_t> threads_;
  std::deque<SpanRecord> finished_;
  std::map<std::string, Sums> sums_;
};

}  // namespace pinion::host
