// Values of the configuration: their types, the one parser every source of them goes through (file, environment, flag,
// plugin table), where each came from, and what to tell when one is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <pinion/host/base/bytes.hpp>
#include <pinion/host/base/status.hpp>
#include <pinion/host/base/units.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pinion::host {

// Where a value was written.
struct Origin {
  enum class Source { built_in, file, environment, flag };
  Source source = Source::built_in;
  std::string name;        // the file, the variable, the flag; of a default: what it depends on, or ""
  std::uint32_t line = 0;  // from 1; 0 outside files
  std::uint32_t column = 0;

  // "default", "pinion.toml:12", "environment PINION_MEMORY_BUDGET", "flag --budget". [any]
  std::string text() const;
};

// One thing wrong with a configuration.
struct Problem {
  Origin origin;
  std::string key;      // full path: "memory.budget", "plugin.alloc-heap.chunk"; "" when there is none
  std::string seen;     // the value, as written or as nearly as possible; "" when there is none
  std::string message;  // what is wrong and what would be right

  // "pinion.toml:12:10: memory.budget = \"16Gib\": …". [any]
  std::string text() const;
};

// In the order of a file's lines, then variables, then flags. [any]
void sort_problems(std::vector<Problem>& problems);
// One line per problem; the last has no end, as no message has. [any]
std::string problems_text(const std::vector<Problem>& problems);
// The same as an outcome: usage where all of them were typed on the command line, else invalid_config. [any]
Status refusal(const std::vector<Problem>& problems);

// As TOML has them, before any meaning: a date, a table or a list of such is `Unfit` with the name of its type.
struct Unfit {
  std::string type;
};
using RawScalar = std::variant<bool, std::int64_t, double, std::string, Unfit>;
struct RawValue {
  std::variant<RawScalar, std::vector<RawScalar>> value;
  Origin origin;
  // From the environment or a flag: plain text, which reads as whatever type is wanted.
  bool plain_text = false;

  std::string text() const;  // as it would be written
};

enum class OptionType { boolean, integer, ratio, size, duration, text, list };
std::string_view option_type_name(OptionType type);

using OptionValue = std::variant<bool, std::int64_t, double, Bytes, Duration, std::string, std::vector<std::string>>;

// What a key accepts. The plugin's own declarations have the same shape.
struct OptionRule {
  OptionType type = OptionType::text;
  std::vector<std::string> choices;  // of a text: the closed set; empty: any
  // Of an integer, and of a ratio: the closed interval.
  std::int64_t least = INT64_MIN;
  std::int64_t most = INT64_MAX;
};

// The value, or a sentence: what is wrong with it and what would be right. Lists take strings and integers, and one
// value stands for a list of one; plain text splits at commas. [any]
Result<OptionValue> parse_option(const OptionRule& rule, const RawValue& raw);

// Back to a spelling that parse_option reads as the same value: `"5GiB"`, `true`, `["a", "b"]`. [any]
std::string option_text(const OptionValue& value);

// The candidate nearest to `word` by edit distance, when it is near enough to be what was meant. [any]
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace pinion::host
