// How C++ plugin code fails: it throws, and one guard at the border turns every exception into a status and a sentence.
// Not for use across libraries: an exception never crosses the ABI.
#pragma once

#include <pinion/abi.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <pinion/executor.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace pinion {

class Error : public std::exception {
 public:
  // `code` is one of PINION_INVALID_INPUT … PINION_PROOF_INVALID; `message` a sentence for the operator.
  Error(pinion_status code, std::string message, std::int32_t native_code = 0)
      : code_(code), native_code_(native_code), message_(std::move(message)) {}
  pinion_status code() const noexcept { return code_; }
  std::int32_t native_code() const noexcept { return native_code_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  pinion_status code_;
  std::int32_t native_code_;
  std::string message_;
};

// Writes `message` into *err (may be null), cut at a UTF-8 character boundary. Returns `code`. [any]
inline pinion_status fail(pinion_error* err, pinion_status code, std::string_view message,
                          std::int32_t native_code = 0) noexcept {
  if (err == nullptr) return code;
  std::size_t length = std::min(message.size(), sizeof err->message - 1);
  if (length < message.size())
    while (length > 0 && (static_cast<unsigned char>(message[length]) & 0xc0u) == 0x80u) --length;
  std::memcpy(err->message, message.data(), length);
  err->message[length] = '\0';
  err->native_code = native_code;
  return code;
}

// Runs f and turns what it throws into a status: Error keeps its code, Cancelled is CANCELLED, bad_alloc is
// OUT_OF_MEMORY, all else INTERNAL with what(). [any]
template <class F>
pinion_status guard(pinion_error* err, F&& f) noexcept {
  try {
    f();
    return PINION_OK;
  } catch (const Error& e) {
    return fail(err, e.code(), e.what(), e.native_code());
  } catch (const Cancelled& e) {
    return fail(err, PINION_CANCELLED, e.what());
  } catch (const std::bad_alloc&) {
    return fail(err, PINION_OUT_OF_MEMORY, "the plugin's own heap is exhausted (std::bad_alloc)");
  } catch (const std::exception& e) {
    return fail(err, PINION_INTERNAL, e.what());
  } catch (...) {
    return fail(err, PINION_INTERNAL, "the plugin threw something that is not a std::exception");
  }
}

// Throws Error when a host function failed; `err` holds its sentence.
inline void require_ok(pinion_status status, const pinion_error& err) {
  if (status == PINION_CANCELLED) throw Cancelled{};
  if (status != PINION_OK) throw Error(status, err.message, err.native_code);
}

inline pinion_error empty_error() {
  pinion_error err{};
  err.size = sizeof err;
  return err;
}

// Fills a caller-allocated out struct: min(caller's size, ours) bytes; the caller's `size` stays. Assigning the whole
// struct would overrun a caller that was built with an older, shorter one.
template <class T>
void write_out(T* out, T value) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::uint32_t size = out->size;
  value.size = size;
  std::memcpy(static_cast<void*>(out), &value, std::min<std::size_t>(size, sizeof(T)));
}

}  // namespace pinion
