// The checked options a plugin is created with. Every declared option is present, so a lookup fails only for a key
// the plugin never declared, which is its own mistake (INTERNAL).
#pragma once

#include <pinion/plugin.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <pinion/plugin/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pinion {

class Options {
 public:
  Options(const pinion_option* options, std::uint32_t count) : options_(options, count) {}

  bool flag(std::string_view key) const { return find(key, PINION_OPTION_BOOL).number != 0; }
  std::int64_t integer(std::string_view key) const { return find(key, PINION_OPTION_INTEGER).number; }
  std::uint64_t bytes(std::string_view key) const {
    return static_cast<std::uint64_t>(find(key, PINION_OPTION_SIZE).number);
  }
  std::chrono::milliseconds duration(std::string_view key) const {
    return std::chrono::milliseconds(find(key, PINION_OPTION_DURATION).number);
  }
  std::string text(std::string_view key) const { return find(key, PINION_OPTION_TEXT).text; }
  std::vector<std::string> list(std::string_view key) const {
    const pinion_option& option = find(key, PINION_OPTION_LIST);
    return {option.list, option.list + option.count};
  }

 private:
  const pinion_option& find(std::string_view key, std::uint32_t type) const {
    for (const pinion_option& option : options_)
      if (key == option.key && option.type == type) return option;
    throw Error(PINION_INTERNAL, "the plugin reads option '" + std::string(key) + "', which it does not declare");
  }

  std::span<const pinion_option> options_;
};

// What declarations say themselves, for a caller that gives no values. Numbers and texts only: other types have
// spellings that hosts read.
class DefaultOptions {
 public:
  explicit DefaultOptions(std::span<const pinion_option_info* const> declared) {
    for (const pinion_option_info* info : declared) {
      pinion_option option{info->key, info->type, 0, 0, nullptr, nullptr};
      const std::string_view text = info->default_value ? info->default_value : "";
      if (info->type == PINION_OPTION_TEXT)
        option.text = info->default_value;
      else if (info->type != PINION_OPTION_INTEGER ||
               std::from_chars(text.data(), text.data() + text.size(), option.number).ptr != text.data() + text.size())
        throw Error(PINION_UNSUPPORTED, "option '" + std::string(info->key) + "' must be given a value");
      values_.push_back(option);
    }
  }
  Options view() const { return {values_.data(), static_cast<std::uint32_t>(values_.size())}; }

 private:
  std::vector<pinion_option> values_;
};

}  // namespace pinion
