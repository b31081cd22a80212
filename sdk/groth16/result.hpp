// Result<T>: a value, or the reason there is none. Errors are values here: reading keys and proofs meets bad input as a
// matter of course. Not for cancellation (pinion::Cancelled) and not for broken invariants.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace pinion::groth16 {

// What a caller can do about it.
enum class ErrorCode {
  io,               // the operating system refused to read: look at the path, permissions, disk
  write,            // it refused to make or write a file, or one stands there already: as above, and room on the disk
  truncated,        // the file ends too early: fetch it again
  malformed,        // bytes that no writer of the format makes
  mismatch,         // well formed, but not for this circuit, key or count
  invalid_argument  // the caller's own mistake
};

struct Error {
  ErrorCode code;
  std::string message;  // one sentence for an operator: what was tried, found, where
};

// Holds exactly one of both. value() of an error is a programming mistake and throws std::logic_error with the message.
template <class T>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose: a function returns what it has.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const noexcept { return state_.index() == 0; }
  const T& value() const& {
    require_value();
    return *std::get_if<0>(&state_);
  }
  T& value() & {
    require_value();
    return *std::get_if<0>(&state_);
  }
  T value() && {
    require_value();
    return std::move(*std::get_if<0>(&state_));
  }
  const T* operator->() const { return &value(); }
  const T& operator*() const& { return value(); }
  // Only when there is no value.
  const Error& error() const {
    if (const Error* error = std::get_if<1>(&state_)) return *error;
    throw std::logic_error("Result::error() of a value");
  }

 private:
  void require_value() const {
    if (const Error* error = std::get_if<1>(&state_)) throw std::logic_error(error->message);
  }
  std::variant<T, Error> state_;
};

// Success without a value.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  explicit operator bool() const noexcept { return !error_.has_value(); }
  const Error& error() const {
    if (error_) return *error_;
    throw std::logic_error("Result::error() of a success");
  }

 private:
  std::optional<Error> error_;
};

}  // namespace pinion::groth16
