#include <algorithm>
#include <pinion/host/bridge/call_spans.hpp>

namespace pinion::host {

SpanId CallSpans::innermost() {
  const std::lock_guard lock(mutex_);
  const auto at = std::find_if(open_.rbegin(), open_.rend(),
                               [](const Open& span) { return span.thread == std::this_thread::get_id(); });
  return at == open_.rend() ? parent_ : at->id;
}

SpanId CallSpans::begin(std::string_view name) {
  const SpanId id = spans_.begin(name, owner_, innermost());
  const std::lock_guard lock(mutex_);
  open_.push_back({std::this_thread::get_id(), id});
  return id;
}

bool CallSpans::end(SpanId id, Bytes bytes) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(open_, [&](const Open& span) { return span.id == id; });
  }
  return spans_.end(id, bytes);
}

void CallSpans::add(std::string_view name, std::chrono::nanoseconds duration) {
  spans_.add(name, owner_, innermost(), duration);
}

}  // namespace pinion::host
