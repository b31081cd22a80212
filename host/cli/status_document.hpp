// A status read back: a file that may be something else, cut short or edited. Whatever is not as the host writes it is
// told with its place in the file. Writing one is status_file.hpp.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/status.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pinion::host::cli {

// The message says where and what was expected.
class NoStatus final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// invalid_input: not a JSON object, with line and column. `name` is the file's, for messages. [any]
Result<nlohmann::ordered_json> parse_status(const std::string& name, const std::string& text);

// A value and the way to it ("spaces[0].used"). All of it throws NoStatus. The document outlives it. [any]
class StatusValue {
 public:
  explicit StatusValue(const nlohmann::ordered_json& json, std::string path = {})
      : json_(json), path_(std::move(path)) {}

  StatusValue at(const std::string& key) const;
  std::optional<StatusValue> find(const std::string& key) const;  // of an object that may be without it
  std::vector<StatusValue> list() const;
  std::vector<std::pair<std::string, Bytes>> sums() const;  // of an object of bytes
  Bytes bytes() const;
  std::int64_t difference() const;  // in bytes
  std::string text() const;
  const nlohmann::ordered_json& json() const noexcept { return json_; }

 private:
  [[noreturn]] void refuse(std::string_view expected) const;

  const nlohmann::ordered_json& json_;
  std::string path_;
};

}  // namespace pinion::host::cli
