// Outcomes. A code is one decision the host takes; the message is one sentence for the operator: what was tried, what
// was found, where, what to do. Result<T> is a value or the Status that explains its absence. Not for faults of the
// program itself: those are exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace pinion::host {

enum class Code : std::int32_t {
  ok,
  cancelled,       // end the job as cancelled, without log noise
  invalid_input,   // fail the job, tell the client, never retry
  invalid_config,  // refuse to start
  out_of_memory,   // evict, retry once, then fail the job
  device_lost,     // stop using the device, run the partition elsewhere
  unsupported,     // permanent: use the default or skip the route
  internal,        // fail the job, a strike against the plugin
  proof_invalid,   // prove again elsewhere, a strike against the device
  over_budget,     // needs more memory than there may ever be: fail the job, evict nothing. Not in the ABI
  usage,           // the command line itself is wrong: say so and do nothing. Not in the ABI
};

// "ok", "out_of_memory", …: the spelling of logs and of the status page. [any]
std::string_view code_name(Code code) noexcept;

class [[nodiscard]] Status {
 public:
  Status() noexcept = default;  // ok
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const noexcept { return code_ == Code::ok; }
  Code code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }

  // The same outcome with "what: " before the message; ok stays as it is.
  Status within(std::string_view what) const;

  // "out_of_memory: message", or "ok".
  std::string text() const;

 private:
  Code code_ = Code::ok;
  std::string message_;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  // `status` must not be ok: there would be nothing to hand out.
  Result(Status status) : held_(std::in_place_index<1>, std::move(status)) {}  // NOLINT: implicit on purpose

  bool ok() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  // The value; std::bad_variant_access without one.
  T& value() & { return std::get<0>(held_); }
  const T& value() const& { return std::get<0>(held_); }
  T&& value() && { return std::get<0>(std::move(held_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Why there is no value; ok when there is one.
  Status status() const { return ok() ? Status() : std::get<1>(held_); }

 private:
  std::variant<T, Status> held_;
};

}  // namespace pinion::host
