#include <pinion/host/base/status.hpp>

namespace pinion::host {

std::string_view code_name(Code code) noexcept {
  switch (code) {
    case Code::ok:
      return "ok";
    case Code::cancelled:
      return "cancelled";
    case Code::invalid_input:
      return "invalid_input";
    case Code::invalid_config:
      return "invalid_config";
    case Code::out_of_memory:
      return "out_of_memory";
    case Code::device_lost:
      return "device_lost";
    case Code::unsupported:
      return "unsupported";
    case Code::internal:
      return "internal";
    case Code::proof_invalid:
      return "proof_invalid";
    case Code::over_budget:
      return "over_budget";
    case Code::usage:
      return "usage";
  }
  return "unknown";
}

Status Status::within(std::string_view what) const {
  if (ok()) return *this;
  return Status(code_, std::string(what) + ": " + message_);
}

std::string Status::text() const {
  if (ok()) return "ok";
  return std::string(code_name(code_)) + ": " + message_;
}

}  // namespace pinion::host
