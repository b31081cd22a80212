#include <algorithm>
#include <functional>
#include <pinion/host/report/spans.hpp>
#include <thread>
#include <utility>

namespace pinion::host {

Span::Span(Span&& other) noexcept
    : spans_(std::exchange(other.spans_, nullptr)), id_(other.id_), bytes_(other.bytes_) {}

Span& Span::operator=(Span&& other) noexcept {
  if (this != &other) {
    end();
    spans_ = std::exchange(other.spans_, nullptr);
    id_ = other.id_;
    bytes_ = other.bytes_;
  }
  return *this;
}

Span Span::child(std::string_view name) const {
  if (spans_ == nullptr) return {};
  Owner owner;
  {
    const std::lock_guard lock(spans_->mutex_);
    if (const auto it = spans_->running_.find(id_.number()); it != spans_->running_.end()) owner = it->second.owner;
  }
  return spans_->open(name, owner, id_);
}

void Span::end() noexcept {
  if (spans_ == nullptr) return;
  try {
    std::exchange(spans_, nullptr)->end(id_, bytes_);
  } catch (...) {  // out of memory for a record: the work itself must not fail because of it
  }
}

double SpanRecord::rate() const {
  const double seconds = std::chrono::duration<double>(duration()).count();
  return seconds > 0 ? static_cast<double>(bytes.count()) / seconds : 0;
}

Span Spans::open(std::string_view name, const Owner& owner, SpanId parent, std::string_view device) {
  return Span(this, begin(name, owner, parent, device));
}

std::uint32_t Spans::thread_number() {
  const std::uint64_t thread = std::hash<std::thread::id>{}(std::this_thread::get_id());
  return threads_.try_emplace(thread, static_cast<std::uint32_t>(threads_.size())).first->second;
}

SpanId Spans::begin(std::string_view name, const Owner& owner, SpanId parent, std::string_view device) {
  const TimePoint now = clock_.now();
  const std::lock_guard lock(mutex_);
  const SpanId id(++last_id_);
  running_.emplace(id.number(), SpanRecord{id, parent, std::string(name), owner, std::string(device), thread_number(),
                                           false, now, now, Bytes()});
  return id;
}

bool Spans::end(SpanId id, Bytes bytes) {
  const TimePoint now = clock_.now();
  const std::lock_guard lock(mutex_);
  auto node = running_.extract(id.number());
  if (node.empty()) return false;
  SpanRecord& record = node.mapped();
  record.end = now;
  record.bytes = bytes;
  record.moved = thread_number() != record.thread;
  finish(std::move(record));
  return true;
}

void Spans::add(std::string_view name, const Owner& owner, SpanId parent, std::chrono::nanoseconds duration) {
  const TimePoint now = clock_.now();
  const std::lock_guard lock(mutex_);
  finish({SpanId(++last_id_), parent, std::string(name), owner, "", thread_number(), false,
          now - std::chrono::duration_cast<TimePoint::duration>(duration), now, Bytes()});
}

void Spans::finish(SpanRecord record) {
  if (metrics_ != nullptr) {
    const Sums& sums = sums_of(record.name);
    sums.count->add();
    sums.nanoseconds->add(static_cast<std::uint64_t>(record.duration().count()));
    sums.bytes->add(record.bytes.count());
  }
  finished_.push_back(std::move(record));
  if (finished_.size() > capacity_) {
    finished_.pop_front();
    ++dropped_;
  }
}

// Names come from plugins: a bound on them keeps a plugin that makes names up from filling the memory.
Spans::Sums& Spans::sums_of(const std::string& name) {
  constexpr std::size_t most_names = 256;
  const std::string& key = sums_.contains(name) || sums_.size() < most_names ? name : sums_.begin()->first;
  const auto [at, is_new] = sums_.try_emplace(key, Sums{});
  if (is_new) {
    const Labels labels{{"span", key}};
    at->second = {&metrics_->counter("pinion_spans_total", "stretches of work that ended, by name", labels),
                  &metrics_->counter("pinion_span_nanoseconds_total", "time they took, added up", labels),
                  &metrics_->counter("pinion_span_bytes_total", "bytes they moved", labels)};
  }
  return at->second;
}

std::vector<SpanRecord> Spans::records() const {
  const std::lock_guard lock(mutex_);
  return {finished_.begin(), finished_.end()};
}

std::vector<SpanRecord> Spans::records_of(const std::string& job, TimePoint since) const {
  const std::lock_guard lock(mutex_);
  std::vector<SpanRecord> out;
  // In the order of their ends: whatever ended before it began is not of it.
  for (auto at = finished_.rbegin(); at != finished_.rend() && at->end >= since; ++at)
    if (at->owner.job == job && at->begin >= since) out.push_back(*at);
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<SpanRecord> Spans::running() const {
  std::vector<SpanRecord> out;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, record] : running_) out.push_back(record);
  }
  std::sort(out.begin(), out.end(), [](const SpanRecord& a, const SpanRecord& b) { return a.id < b.id; });
  return out;
}

std::uint64_t Spans::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace pinion::host
