#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <pinion/host/config/option.hpp>
#include <pinion/printable.hpp>
#include <tuple>

namespace pinion::host {
namespace {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string out = fmt::format("{}", value);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string scalar_text(const RawScalar& scalar) {
  return std::visit(Overloaded{[](bool value) { return std::string(value ? "true" : "false"); },
                               [](std::int64_t value) { return fmt::format("{}", value); },
                               [](double value) { return real_text(value); },
                               [](const std::string& value) { return in_quotes(value); },
                               [](const Unfit& value) { return "(" + value.type + ")"; }},
                    scalar);
}

std::string scalar_type(const RawScalar& scalar) {
  return std::visit(
      Overloaded{[](bool) { return std::string("a boolean"); }, [](std::int64_t) { return std::string("an integer"); },
                 [](double) { return std::string("a decimal number"); },
                 [](const std::string&) { return std::string("text"); },
                 [](const Unfit& value) { return "a " + value.type; }},
      scalar);
}

template <class T>
std::string join_quoted(const std::vector<T>& words) {
  std::vector<std::string> out;
  for (const auto& word : words) out.push_back(in_quotes(word));
  return fmt::format("{}", fmt::join(out, ", "));
}

Status refuse(std::string message) {
  return Status(Code::invalid_config, std::move(message));
}

std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<double> real_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// Plain text as the scalar that the wanted type is written with in TOML; as text when it does not read as that.
RawScalar read_plain(OptionType type, const std::string& text) {
  switch (type) {
    case OptionType::boolean:
      if (text == "true") return true;
      if (text == "false") return false;
      break;
    case OptionType::integer:
      if (const auto value = integer_of(text)) return *value;
      break;
    case OptionType::ratio:
      if (const auto value = real_of(text)) return *value;
      break;
    default:
      break;
  }
  return text;
}

Result<OptionValue> boolean_from(const RawScalar& scalar) {
  if (const bool* value = std::get_if<bool>(&scalar)) return OptionValue(*value);
  return refuse(fmt::format("expected true or false, found {}", scalar_type(scalar)));
}

Result<OptionValue> integer_from(const OptionRule& rule, const RawScalar& scalar) {
  const std::int64_t* value = std::get_if<std::int64_t>(&scalar);
  if (value == nullptr) return refuse(fmt::format("expected a whole number, found {}", scalar_type(scalar)));
  if (*value >= rule.least && *value <= rule.most) return OptionValue(*value);
  if (rule.most == INT64_MAX) return refuse(fmt::format("expected {} or more", rule.least));
  return refuse(fmt::format("expected a number from {} to {}", rule.least, rule.most));
}

Result<OptionValue> ratio_from(const OptionRule& rule, const RawScalar& scalar) {
  double value = 0;
  if (const double* real = std::get_if<double>(&scalar)) {
    value = *real;
  } else if (const std::int64_t* whole = std::get_if<std::int64_t>(&scalar)) {
    value = static_cast<double>(*whole);
  } else {
    return refuse(fmt::format("expected a number such as 0.25, found {}", scalar_type(scalar)));
  }
  // Written so that a NaN is refused too.
  if (value >= static_cast<double>(rule.least) && value <= static_cast<double>(rule.most)) return OptionValue(value);
  return refuse(fmt::format("expected a number from {} to {}", rule.least, rule.most));
}

template <class Parse>
Result<OptionValue> unit_from(const RawScalar& scalar, Parse parse, std::string_view what, std::string_view example) {
  const std::string* text = std::get_if<std::string>(&scalar);
  if (text == nullptr) {
    return refuse(fmt::format("expected a {} in quotes, with its unit, such as {}, found {}", what, example,
                              scalar_type(scalar)));
  }
  auto value = parse(*text);
  if (!value) return value.status();
  return OptionValue(*value);
}

Result<OptionValue> text_from(const OptionRule& rule, const RawScalar& scalar) {
  const std::string* text = std::get_if<std::string>(&scalar);
  if (text == nullptr) return refuse(fmt::format("expected text in quotes, found {}", scalar_type(scalar)));
  if (text->find('\0') != std::string::npos) return refuse("contains a zero byte, which no setting may");
  if (rule.choices.empty() || std::find(rule.choices.begin(), rule.choices.end(), *text) != rule.choices.end()) {
    return OptionValue(*text);
  }
  std::string message = "expected one of " + join_quoted(rule.choices);
  if (const auto near = nearest(*text, rule.choices)) message += fmt::format("; did you mean {}?", in_quotes(*near));
  return refuse(std::move(message));
}

Result<OptionValue> list_from(const std::vector<RawScalar>& items) {
  std::vector<std::string> out;
  for (const RawScalar& item : items) {
    if (const std::string* text = std::get_if<std::string>(&item)) {
      if (text->find('\0') != std::string::npos) return refuse("contains a zero byte, which no setting may");
      out.push_back(*text);
    } else if (const std::int64_t* number = std::get_if<std::int64_t>(&item)) {
      out.push_back(std::to_string(*number));
    } else {
      return refuse(fmt::format("expected a list of texts, found {} in it: {}", scalar_type(item), scalar_text(item)));
    }
  }
  return OptionValue(std::move(out));
}

std::vector<RawScalar> split_at_commas(const std::string& text) {
  std::vector<RawScalar> out;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    const std::size_t first = part.find_first_not_of(' ');
    if (first != std::string::npos) out.emplace_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string Origin::text() const {
  switch (source) {
    case Source::built_in:
      return name.empty() ? "default" : "default, " + name;
    case Source::file:
      return fmt::format("{}:{}", shown(name), line);
    case Source::environment:
      return "environment " + shown(name);
    case Source::flag:
      return "flag " + name;
  }
  return "unknown";
}

std::string Problem::text() const {
  std::string out = origin.text();
  if (origin.source == Origin::Source::file) out += fmt::format(":{}", origin.column);
  out += ": ";
  if (!key.empty()) out += seen.empty() ? shown(key) + ": " : fmt::format("{} = {}: ", shown(key), seen);
  return out + message;
}

void sort_problems(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.origin.source, a.origin.line, a.origin.column) <
           std::tie(b.origin.source, b.origin.line, b.origin.column);
  });
}

std::string problems_text(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& problem : problems) out += (out.empty() ? "" : "\n") + problem.text();
  return out;
}

Status refusal(const std::vector<Problem>& problems) {
  const auto typed = [](const Problem& problem) { return problem.origin.source == Origin::Source::flag; };
  const bool all = std::all_of(problems.begin(), problems.end(), typed);
  return {all ? Code::usage : Code::invalid_config, problems_text(problems)};
}

std::string RawValue::text() const {
  if (const RawScalar* scalar = std::get_if<RawScalar>(&value)) return scalar_text(*scalar);
  std::vector<std::string> items;
  for (const RawScalar& item : std::get<std::vector<RawScalar>>(value)) items.push_back(scalar_text(item));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string_view option_type_name(OptionType type) {
  switch (type) {
    case OptionType::boolean:
      return "boolean";
    case OptionType::integer:
      return "integer";
    case OptionType::ratio:
      return "ratio";
    case OptionType::size:
      return "size";
    case OptionType::duration:
      return "duration";
    case OptionType::text:
      return "text";
    case OptionType::list:
      return "list";
  }
  return "unknown";
}

Result<OptionValue> parse_option(const OptionRule& rule, const RawValue& raw) {
  if (const auto* items = std::get_if<std::vector<RawScalar>>(&raw.value)) {
    if (rule.type == OptionType::list) return list_from(*items);
    return refuse(fmt::format("expected one value ({}), found a list", option_type_name(rule.type)));
  }
  RawScalar scalar = std::get<RawScalar>(raw.value);
  if (raw.plain_text) {
    const std::string& text = std::get<std::string>(scalar);
    if (rule.type == OptionType::list) return list_from(split_at_commas(text));
    scalar = read_plain(rule.type, text);
  }
  switch (rule.type) {
    case OptionType::boolean:
      return boolean_from(scalar);
    case OptionType::integer:
      return integer_from(rule, scalar);
    case OptionType::ratio:
      return ratio_from(rule, scalar);
    case OptionType::size:
      return unit_from(scalar, parse_size, "size", "\"5GiB\"");
    case OptionType::duration:
      return unit_from(scalar, parse_duration, "duration", "\"10m\"");
    case OptionType::text:
      return text_from(rule, scalar);
    case OptionType::list:
      return list_from({scalar});
  }
  return refuse("has a type this program does not know");
}

std::string option_text(const OptionValue& value) {
  return std::visit(
      Overloaded{[](bool held) { return std::string(held ? "true" : "false"); },
                 [](std::int64_t held) { return fmt::format("{}", held); }, [](double held) { return real_text(held); },
                 [](Bytes held) { return in_quotes(exact_text(held)); },
                 [](Duration held) { return in_quotes(exact_text(held)); },
                 [](const std::string& held) { return in_quotes(held); },
                 [](const std::vector<std::string>& held) { return "[" + join_quoted(held) + "]"; }},
      value);
}

}  // namespace pinion::host
