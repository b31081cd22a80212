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

Span Spans::open(std::string_view name, const Owner& owner, SpanId parent) {
  return Span(this, begin(name, owner, parent));
}

SpanId Spans::begin(std::string_view name, const Owner& owner, SpanId parent) {
  const TimePoint now = clock_.now();
  const std::uint64_t thread = std::hash<std::thread::id>{}(std::this_thread::get_id());
  const std::lock_guard lock(mutex_);
  const SpanId id(++last_id_);
  const auto number = threads_.try_emplace(thread, static_cast<std::uint32_t>(threads_.size())).first->second;
  running_.emplace(id.number(), SpanRecord{id, parent, std::string(name), owner, number, now, now, Bytes()});
  return id;
}

bool Spans::end(SpanId id, Bytes bytes) {
  const TimePoint now = clock_.now();
  const std::lock_guard lock(mutex_);
  auto node = running_.extract(id.number());
  if (node.empty()) return false;
  node.mapped().end = now;
  node.mapped().bytes = bytes;
  finished_.push_back(std::move(node.mapped()));
  if (finished_.size() > capacity_) {
    finished_.pop_front();
    ++dropped_;
  }
  return true;
}

std::vector<SpanRecord> Spans::records() const {
  const std::lock_guard lock(mutex_);
  return {finished_.begin(), finished_.end()};
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
