#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <pinion/host/base/units.hpp>
#include <pinion/printable.hpp>
#include <span>

namespace pinion::host {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array kSizeUnits{
    Unit{"TiB", 1ULL << 40},
    Unit{"GiB", 1ULL << 30},
    Unit{"MiB", 1ULL << 20},
    Unit{"KiB", 1ULL << 10},
    Unit{"B", 1},
    Unit{"TB", 1'000'000'000'000},
    Unit{"GB", 1'000'000'000},
    Unit{"MB", 1'000'000},
    Unit{"KB", 1'000},
};
constexpr std::array kDurationUnits{
    Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000}, Unit{"s", 1'000}, Unit{"ms", 1},
};
// What people write where a unit is meant; spelled in lower case.
struct Alias {
  std::string_view written;
  std::string_view meant;
};
constexpr std::array kSizeAliases{
    Alias{"t", "TiB"},   Alias{"ti", "TiB"},  Alias{"g", "GiB"},   Alias{"gi", "GiB"},  Alias{"m", "MiB"},
    Alias{"mi", "MiB"},  Alias{"k", "KiB"},   Alias{"ki", "KiB"},  Alias{"byte", "B"},  Alias{"bytes", "B"},
    Alias{"tib", "TiB"}, Alias{"gib", "GiB"}, Alias{"mib", "MiB"}, Alias{"kib", "KiB"}, Alias{"b", "B"},
    Alias{"tb", "TB"},   Alias{"gb", "GB"},   Alias{"mb", "MB"},   Alias{"kb", "KB"},   Alias{"", "GiB"},
};
constexpr std::array kDurationAliases{
    Alias{"day", "d"},  Alias{"days", "d"},   Alias{"hour", "h"},    Alias{"hours", "h"},   Alias{"hr", "h"},
    Alias{"min", "m"},  Alias{"mins", "m"},   Alias{"minute", "m"},  Alias{"minutes", "m"}, Alias{"sec", "s"},
    Alias{"secs", "s"}, Alias{"second", "s"}, Alias{"seconds", "s"}, Alias{"msec", "ms"},   Alias{"d", "d"},
    Alias{"h", "h"},    Alias{"m", "m"},      Alias{"s", "s"},       Alias{"ms", "ms"},     Alias{"", "s"},
};

constexpr std::size_t kMaxFraction = 6;

struct Number {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;  // in units of 10^-kMaxFraction
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

// Takes a number off the front of `text`; nothing, and `text` as it was, when none stands there or it leaves 64 bits.
std::optional<Number> take_number(std::string_view& text) {
  std::string_view rest = text;
  const std::size_t digits = count_digits(rest);
  if (digits == 0) return std::nullopt;
  Number number;
  for (char c : rest.substr(0, digits)) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (__builtin_mul_overflow(number.whole, std::uint64_t{10}, &number.whole)) return std::nullopt;
    if (__builtin_add_overflow(number.whole, digit, &number.whole)) return std::nullopt;
  }
  rest.remove_prefix(digits);
  if (!rest.empty() && rest.front() == '.') {
    const std::size_t places = count_digits(rest.substr(1));
    if (places == 0 || places > kMaxFraction) return std::nullopt;
    for (std::size_t i = 0; i < kMaxFraction; ++i) {
      const auto digit = i < places ? static_cast<std::uint64_t>(rest[1 + i] - '0') : 0;
      number.fraction = number.fraction * 10 + digit;
    }
    rest.remove_prefix(1 + places);
  }
  text = rest;
  return number;
}

std::optional<std::uint64_t> scale(Number number, std::uint64_t factor) {
  unsigned __int128 value = static_cast<unsigned __int128>(number.fraction) * factor / 1'000'000;
  value += static_cast<unsigned __int128>(number.whole) * factor;
  if (value > std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  const auto it = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
  return it == units.end() ? nullptr : &*it;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The right spelling of `text`, when it is one number and something that reads as a unit: "16 Gib" -> "16GiB".
std::optional<std::string> respell(std::string_view text, std::span<const Alias> aliases) {
  std::string_view rest = trim(text);
  const std::string_view all = rest;
  if (!take_number(rest)) return std::nullopt;
  const std::string_view number = all.substr(0, all.size() - rest.size());
  std::string unit(trim(rest));
  std::transform(unit.begin(), unit.end(), unit.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Alias& alias : aliases) {
    if (alias.written == unit) return std::string(number) + std::string(alias.meant);
  }
  return std::nullopt;
}

Status refuse(std::string_view what, std::string_view text, std::span<const Alias> aliases, std::string_view expected) {
  std::string message = fmt::format("{} is not a {}", in_quotes(text), what);
  if (const auto right = respell(text, aliases); right && *right != text) {
    message += fmt::format("; did you mean \"{}\"?", *right);
  } else {
    message += fmt::format("; expected {}", expected);
  }
  return Status(Code::invalid_config, std::move(message));
}

std::string digits3(double value, std::string_view unit) {
  const int places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, places, unit);
}

}  // namespace

Result<Bytes> parse_size(std::string_view text) {
  if (text == "0") return Bytes();
  std::string_view rest = text;
  const auto number = take_number(rest);
  const Unit* unit = number ? find_unit(kSizeUnits, rest) : nullptr;
  if (unit == nullptr) return refuse("size", text, kSizeAliases, "a number and a unit, such as \"5GiB\" or \"512MiB\"");
  if (const auto count = scale(*number, unit->factor)) return Bytes(*count);
  return Status(Code::invalid_config,
                fmt::format("{} is larger than any machine: sizes end below 2^64 bytes", in_quotes(text)));
}

Result<Duration> parse_duration(std::string_view text) {
  if (text == "0") return Duration(0);
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max() / 1'000'000;  // still fits in nanoseconds
  std::string_view rest = text;
  std::uint64_t total = 0;
  std::uint64_t last_factor = std::numeric_limits<std::uint64_t>::max();
  do {
    const auto number = take_number(rest);
    const std::size_t letters =
        static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), is_digit) - rest.begin());
    const Unit* unit = number ? find_unit(kDurationUnits, rest.substr(0, letters)) : nullptr;
    if (unit == nullptr || unit->factor >= last_factor) {
      return refuse("duration", text, kDurationAliases, "numbers and units, such as \"10m\", \"90s\" or \"1h30m\"");
    }
    const auto part = scale(*number, unit->factor);
    if (!part || *part > kMax || total + *part > kMax) {
      return Status(Code::invalid_config, fmt::format("{} is longer than 292 years", in_quotes(text)));
    }
    total += *part;
    last_factor = unit->factor;
    rest.remove_prefix(letters);
  } while (!rest.empty());
  return Duration(static_cast<std::int64_t>(total));
}

std::string exact_text(Bytes size) {
  if (size.zero()) return "0";
  const Unit* best = nullptr;  // 64GB is not 62500000KiB to who wrote it
  for (const Unit& unit : kSizeUnits)
    if (size.count() % unit.factor == 0 && (best == nullptr || unit.factor > best->factor)) best = &unit;
  return fmt::format("{}{}", size.count() / best->factor, best->name);
}

std::string exact_text(Duration duration) {
  const auto count = static_cast<std::uint64_t>(std::max<Duration::rep>(duration.count(), 0));
  if (count == 0) return "0";
  for (const Unit& unit : kDurationUnits) {
    if (count % unit.factor == 0) return fmt::format("{}{}", count / unit.factor, unit.name);
  }
  return fmt::format("{}ms", count);
}

std::string human_text(Bytes size) {
  if (size < kib(1)) return fmt::format("{} B", size.count());
  double value = static_cast<double>(size.count()) / 1024;
  std::string_view name = "KiB";
  for (std::string_view next : {"MiB", "GiB", "TiB"}) {
    if (value < 999.5) break;
    value /= 1024;
    name = next;
  }
  return digits3(value, name);
}

std::string human_text(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  if (seconds < 0.0009995) return digits3(seconds * 1e6, "us");
  if (seconds < 0.9995) return digits3(seconds * 1e3, "ms");
  if (seconds < 99.95) return digits3(seconds, "s");
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace pinion::host
