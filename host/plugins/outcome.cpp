#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <pinion/host/plugins/outcome.hpp>

namespace pinion::host {

// The host's codes are the ABI's and one more, so that converting a plugin's cannot lose a decision.
static_assert(static_cast<pinion_status>(Code::ok) == PINION_OK);
static_assert(static_cast<pinion_status>(Code::cancelled) == PINION_CANCELLED);
static_assert(static_cast<pinion_status>(Code::invalid_input) == PINION_INVALID_INPUT);
static_assert(static_cast<pinion_status>(Code::invalid_config) == PINION_INVALID_CONFIG);
static_assert(static_cast<pinion_status>(Code::out_of_memory) == PINION_OUT_OF_MEMORY);
static_assert(static_cast<pinion_status>(Code::device_lost) == PINION_DEVICE_LOST);
static_assert(static_cast<pinion_status>(Code::unsupported) == PINION_UNSUPPORTED);
static_assert(static_cast<pinion_status>(Code::internal) == PINION_INTERNAL);
static_assert(static_cast<pinion_status>(Code::proof_invalid) == PINION_PROOF_INVALID);

Status plugin_status(std::string_view plugin, std::string_view function, pinion_status code, const pinion_error& err) {
  if (code == PINION_OK) return {};
  if (code < PINION_OK || code > PINION_PROOF_INVALID)
    return broken_rule(plugin, function, fmt::format("returned status {}, which is not in the list", code));
  // Never trust the end of a text that somebody else wrote.
  const std::string_view message(err.message, ::strnlen(err.message, sizeof err.message));
  std::string text = fmt::format("{} {}: {}", plugin, function, message.empty() ? "no reason given" : message);
  if (err.native_code != 0) text += fmt::format(" (native code {})", err.native_code);
  return Status(static_cast<Code>(code), std::move(text));
}

Status broken_rule(std::string_view plugin, std::string_view function, std::string_view what) {
  return Status(Code::internal,
                fmt::format("{} {} broke a rule: {}; this is a defect of the plugin", plugin, function, what));
}

pinion_status report_error(pinion_error* err, const Status& status) noexcept {
  // To a plugin, more than there is now and more than there may ever be are the same.
  const auto code =
      status.code() == Code::over_budget ? PINION_OUT_OF_MEMORY : static_cast<pinion_status>(status.code());
  if (status.ok() || err == nullptr) return code;
  const std::string& message = status.message();
  std::size_t length = std::min(message.size(), sizeof err->message - 1);
  if (length < message.size())
    while (length > 0 && (static_cast<unsigned char>(message[length]) & 0xc0u) == 0x80u) --length;
  std::memcpy(err->message, message.data(), length);
  err->message[length] = '\0';
  err->native_code = 0;
  return code;
}

}  // namespace pinion::host
