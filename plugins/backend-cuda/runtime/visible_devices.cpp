#include "visible_devices.hpp"

#include <algorithm>

namespace pinion::cuda {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_uuid_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '-' || c == '/';
}

VisibleEntry classify(std::string_view text) {
  using Kind = VisibleEntry::Kind;
  const auto rest_is_uuid = [&](std::string_view prefix) {
    return text.size() > prefix.size() &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(prefix.size()), text.end(), is_uuid_character);
  };
  if (!text.empty() && text.size() <= 4 && std::all_of(text.begin(), text.end(), is_digit))
    return {Kind::ordinal, std::string(text)};
  if (text.starts_with("GPU-") && rest_is_uuid("GPU-")) return {Kind::uuid, std::string(text)};
  // The old form names the GPU and two instance numbers: MIG-GPU-<uuid>/<gi>/<ci>.
  if (text.starts_with("MIG-GPU-") && rest_is_uuid("MIG-GPU-")) return {Kind::mig, std::string(text)};
  if (text.starts_with("MIG-") && rest_is_uuid("MIG-")) return {Kind::mig, std::string(text)};
  return {Kind::invalid, std::string(text)};
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::vector<VisibleEntry> parse_visible_devices(std::string_view value) {
  std::vector<VisibleEntry> out;
  while (true) {
    const auto comma = value.find(',');
    out.push_back(classify(trimmed(value.substr(0, comma))));
    if (out.back().kind == VisibleEntry::Kind::invalid || comma == std::string_view::npos) return out;
    value.remove_prefix(comma + 1);
  }
}

std::string explain_visible_devices(const char* value) {
  if (value == nullptr) return {};
  const std::string text(value);
  const std::string is = "CUDA_VISIBLE_DEVICES is \"" + text + "\"";
  if (trimmed(text).empty()) return is + ", which hides every device; unset it, or name devices";
  const VisibleEntry first = parse_visible_devices(text).front();
  if (first.text == "-1") return is + ", which hides every device; unset it, or name devices";
  switch (first.kind) {
    case VisibleEntry::Kind::invalid:
      return is + ": \"" + first.text + "\" is no ordinal, GPU-uuid or MIG-uuid, and hides itself and all that follows";
    case VisibleEntry::Kind::ordinal:
      return is + ", and there is no device " + first.text + "; nvidia-smi -L lists what there is";
    case VisibleEntry::Kind::uuid:
      return is + ", and no GPU, or more than one, has a UUID that begins with " + first.text +
             " (or it is in MIG mode: name an instance, MIG-…); nvidia-smi -L lists what there is";
    default:
      return is + ", and there is no such MIG instance; nvidia-smi -L lists what there is";
  }
}

}  // namespace pinion::cuda
