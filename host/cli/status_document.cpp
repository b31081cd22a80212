#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/cli/status_document.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {

using nlohmann::ordered_json;

Result<ordered_json> parse_status(const std::string& name, const std::string& text) {
  const auto refuse = [&](std::size_t byte, std::string_view what) {
    const std::string before = text.substr(0, byte);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    return Status(Code::invalid_input, fmt::format("{}:{}:{}: {}", shown(name), line, column, what));
  };
  try {
    auto document = ordered_json::parse(text);
    if (document.is_object()) return document;
    return refuse(0, "JSON, but not an object");
  } catch (const ordered_json::parse_error& error) {
    const bool ends = error.byte > text.size();
    return refuse(std::max<std::size_t>(error.byte, 1) - 1, ends ? "the JSON ends too early" : "not JSON");
  }
}

void StatusValue::refuse(std::string_view expected) const {
  throw NoStatus(fmt::format("{}: {} is expected", path_.empty() ? "the document" : shown(path_), expected));
}

std::optional<StatusValue> StatusValue::find(const std::string& key) const {
  if (!json_.is_object()) refuse("an object");
  const auto found = json_.find(key);
  if (found == json_.end()) return std::nullopt;
  return StatusValue(*found, path_.empty() ? key : path_ + "." + key);
}

StatusValue StatusValue::at(const std::string& key) const {
  if (auto found = find(key)) return *std::move(found);
  refuse(fmt::format("a key \"{}\"", key));
}

std::vector<StatusValue> StatusValue::list() const {
  if (!json_.is_array()) refuse("a list");
  std::vector<StatusValue> all;
  for (const auto& one : json_) all.emplace_back(one, fmt::format("{}[{}]", path_, all.size()));
  return all;
}

std::vector<std::pair<std::string, Bytes>> StatusValue::sums() const {
  if (!json_.is_object()) refuse("an object");
  std::vector<std::pair<std::string, Bytes>> all;
  for (const auto& [key, value] : json_.items()) all.emplace_back(key, StatusValue(value, path_ + "." + key).bytes());
  return all;
}

Bytes StatusValue::bytes() const {
  if (!json_.is_number_unsigned()) refuse("a number of bytes");
  return Bytes(json_.get<std::uint64_t>());
}

std::int64_t StatusValue::difference() const {
  if (!json_.is_number_integer()) refuse("a whole number");
  return json_.get<std::int64_t>();
}

std::string StatusValue::text() const {
  if (!json_.is_string()) refuse("a text");
  return json_.get<std::string>();
}

}  // namespace pinion::host::cli
