#include <algorithm>
#include <pinion/host/config/toml_depth.hpp>

namespace pinion::host {
namespace {

// The end of the string whose quote stands at `at`: behind its closing quote. Where a string of one line is not
// closed the text is refused by the parser there, so that nothing behind it nests.
std::size_t behind_string(std::string_view toml, std::size_t at) noexcept {
  const char quote = toml[at];
  const bool long_one = toml.substr(at, 3) == (quote == '"' ? R"(""")" : "'''");
  const std::size_t quotes = long_one ? 3 : 1;
  for (std::size_t i = at + quotes; i < toml.size(); ++i) {
    if (quote == '"' && toml[i] == '\\')
      ++i;
    else if (!long_one && toml[i] == '\n')
      return i;
    else if (toml[i] == quote && (!long_one || toml.substr(i, 3) == toml.substr(at, 3)))
      return long_one ? std::min(toml.find_first_not_of(quote, i), i + 5) : i + 1;  // two quotes may be its last bytes
  }
  return toml.size();
}

}  // namespace

std::optional<std::size_t> line_of_too_deep_key(std::string_view toml) noexcept {
  constexpr std::string_view separators = "=,{}[]\n";
  std::size_t steps = 1;
  for (std::size_t i = 0; i < toml.size();) {
    const char c = toml[i];
    if (c == '"' || c == '\'') {
      i = behind_string(toml, i);
      continue;
    }
    if (c == '#') {
      i = std::min(toml.find('\n', i), toml.size());
      continue;
    }
    if (separators.find(c) != separators.npos) steps = 1;
    if (c == '.' && ++steps > most_key_steps)
      return 1 +
             static_cast<std::size_t>(std::count(toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(i), '\n'));
    ++i;
  }
  return std::nullopt;
}

}  // namespace pinion::host
