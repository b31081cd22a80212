// The host as C++ plugin code sees it: Host for the plugin's life, Call for one call. Call is the Executor that
// mathematics runs on. Both are thin views; copying them is free.
#pragma once

#include <pinion/host.h>

#include <cstdint>
#include <pinion/plugin/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace pinion {

class Host {
 public:
  explicit Host(const pinion_host* host) : host_(host) {}
  void debug(const std::string& text) const { host_->log(host_, PINION_LOG_DEBUG, text.c_str()); }
  void info(const std::string& text) const { host_->log(host_, PINION_LOG_INFO, text.c_str()); }
  void warn(const std::string& text) const { host_->log(host_, PINION_LOG_WARN, text.c_str()); }
  void error(const std::string& text) const { host_->log(host_, PINION_LOG_ERROR, text.c_str()); }
  // NULL when this host has no such service.
  const void* query(const char* service_id) const { return host_->query(host_, service_id); }
  // What width() of every call will be; `otherwise` when the host does not say.
  unsigned width(unsigned otherwise) const {
    const auto* width = static_cast<const std::uint32_t*>(query(PINION_WIDTH));
    return width != nullptr && *width != 0 ? *width : otherwise;
  }

 private:
  const pinion_host* host_;
};

// A lent buffer as `count` values of T. Throws INTERNAL when it is smaller: the plan and its reader disagree.
template <class T>
std::span<T> values(const pinion_buffer& buffer, std::uint64_t count) {
  if (count > buffer.bytes / sizeof(T))
    throw Error(PINION_INTERNAL, "a buffer of " + std::to_string(buffer.bytes) + " bytes was lent where " +
                                     std::to_string(count) + " values of " + std::to_string(sizeof(T)) +
                                     " bytes are needed");
  return {static_cast<T*>(buffer.data), static_cast<std::size_t>(count)};
}

inline std::span<const std::uint8_t> bytes_of(pinion_bytes b) {
  return {b.data, static_cast<std::size_t>(b.size)};
}
inline pinion_bytes as_bytes(std::span<const std::uint8_t> s) {
  return {s.data(), s.size()};
}

class Call final : public Executor {
 public:
  explicit Call(const pinion_call* call) : call_(call) {}
  const pinion_call* raw() const noexcept { return call_; }

  unsigned width() const noexcept override { return call_->width(call_); }
  void run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) override {
    call_->parallel(call_, count, fn, arg);
  }
  bool cancelled() const noexcept override { return call_->cancelled(call_) != 0; }
  void progress(std::uint64_t done, std::uint64_t total) noexcept override { call_->progress(call_, done, total); }
  std::uint64_t begin_step(const char* name) noexcept override { return call_->span_begin(call_, name); }
  void end_step(std::uint64_t step, std::uint64_t bytes) noexcept override { call_->span_end(call_, step, bytes); }

  // Secret random bytes. Throws when the source fails.
  void random(std::span<std::uint8_t> out) const {
    pinion_error err = empty_error();
    require_ok(call_->random(call_, out.data(), out.size(), &err), err);
  }

 private:
  const pinion_call* call_;
};

// Times a stage from construction to destruction: a span of the host's.
using Span = Step;

// A charge for memory the plugin makes itself; made before the memory, given back after it.
class Reservation {
 public:
  Reservation() = default;
  // Throws OUT_OF_MEMORY when the budget has no room.
  Reservation(const Call& call, std::uint64_t bytes, std::uint32_t space = PINION_SPACE_HOST)
      : call_(call.raw()), space_(space), bytes_(bytes) {
    pinion_error err = empty_error();
    require_ok(call_->reserve(call_, space, bytes, &err), err);
  }
  Reservation(Reservation&& other) noexcept { swap(other); }
  Reservation& operator=(Reservation&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Reservation() {
    if (bytes_ != 0) call_->unreserve(call_, space_, bytes_);
  }
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  void swap(Reservation& other) noexcept {
    std::swap(call_, other.call_);
    std::swap(space_, other.space_);
    std::swap(bytes_, other.bytes_);
  }
  const pinion_call* call_ = nullptr;
  std::uint32_t space_ = PINION_SPACE_HOST;
  std::uint64_t bytes_ = 0;
};

// A scratch buffer from the shared pool, given back at the end of its scope.
class Scratch {
 public:
  // Throws OUT_OF_MEMORY when the pool has no room.
  Scratch(const Call& call, std::uint64_t bytes, std::uint32_t kinds = PINION_MEMORY_ANY) : call_(call.raw()) {
    pinion_error err = empty_error();
    require_ok(call_->acquire(call_, bytes, kinds, &buffer_, &err), err);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { call_->give_back(call_, &buffer_); }
  const pinion_buffer& buffer() const noexcept { return buffer_; }
  template <class T>
  std::span<T> as(std::uint64_t count) const {
    return values<T>(buffer_, count);
  }

 private:
  const pinion_call* call_;
  pinion_buffer buffer_{};
};

}  // namespace pinion
