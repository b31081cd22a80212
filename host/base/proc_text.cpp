#include <algorithm>
#include <charconv>
#include <fstream>
#include <pinion/host/base/proc_text.hpp>
#include <sstream>

namespace pinion::host {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string> read_small_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  in.peek();  // what cannot be read, a folder say, makes the stream bad only here
  if (in.bad()) return std::nullopt;
  return text.str();
}

std::string first_line(const std::string& path) {
  const std::string text = read_small_file(path).value_or("");
  return text.substr(0, text.find('\n'));
}

std::optional<std::string_view> field(std::string_view text, std::string_view name) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t colon = line.starts_with(name) ? line.find_first_not_of(" \t", name.size()) : line.npos;
    if (colon != line.npos && line[colon] == ':') return trimmed(line.substr(colon + 1));
    at = end + 1;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> counter(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(name) && line.substr(name.size()).starts_with(" "))
      return number(trimmed(line.substr(name.size() + 1)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

std::optional<Bytes> kilobytes(std::string_view text, std::string_view name) {
  const auto rest = field(text, name);
  if (!rest || !rest->ends_with(" kB")) return std::nullopt;
  const auto count = number(trimmed(rest->substr(0, rest->size() - 3)));
  return count ? checked_mul(kib(1), *count) : std::nullopt;
}

}  // namespace pinion::host
