#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <pinion/host/base/regular_file.hpp>
#include <pinion/host/cli/files.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;

Status unreadable(const fs::path& path, std::string_view why) {
  return {Code::invalid_input, fmt::format("{}: {}", shown(path), why)};
}

// Takes the bytes it read off `most`.
Result<RequestPart> read_part(const fs::path& path, Bytes& most, const std::stop_token& stop) {
  auto bytes = read_bytes(path.string(), most, stop);
  if (bytes) {
    most = Bytes(most.count() - bytes->size());
    return RequestPart{path.filename().string(), *std::move(bytes)};
  }
  const Status status = bytes.status();
  if (status.code() != Code::over_budget) return status;
  return Status(Code::over_budget,
                status.message() + ": an input is held in memory; raise memory.budget, if it is one");
}

Result<std::vector<RequestPart>> read_folder(const fs::path& folder, Bytes most, const std::stop_token& stop) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  if (error) return unreadable(folder, error.message());
  if (files.empty()) return unreadable(folder, "there is no file in this folder (folders in it are not looked into)");
  std::sort(files.begin(), files.end());
  std::vector<RequestPart> parts;
  for (const auto& file : files) {
    auto part = read_part(file, most, stop);
    if (!part) return part.status();
    parts.push_back(*std::move(part));
  }
  return parts;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool parse_hex(std::string_view digits, std::vector<std::uint8_t>& out) {
  if (digits.empty() || digits.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_digit(digits[i]);
    const int low = hex_digit(digits[i + 1]);
    if (high < 0 || low < 0) return false;
    out.push_back(static_cast<std::uint8_t>(16 * high + low));
  }
  return true;
}

Result<RequestField> parse_field(const std::string& text) {
  const Status bad(Code::usage, fmt::format("--field {}: expected KEY=NUMBER or KEY=0xHEX, as in --field miner_id=1000",
                                            in_quotes(text)));
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return bad;
  RequestField field;
  field.key = text.substr(0, equals);
  const auto value = std::string_view(text).substr(equals + 1);
  if (value.starts_with("0x")) {
    if (!parse_hex(value.substr(2), field.bytes)) return bad;
    return field;
  }
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), field.number);
  if (error != std::errc() || end != value.data() + value.size()) return bad;
  return field;
}

// Standard input may be a pipe, whose size nobody knows before its end, or a terminal, at which nobody types.
Result<std::vector<std::uint8_t>> read_standard_input(Bytes most, const std::stop_token& stop) {
  constexpr std::size_t step = std::size_t{1} << 20;
  constexpr int look_ms = 100;  // at `stop`, between two looks at the input
  std::vector<std::uint8_t> bytes;
  while (true) {
    if (stop.stop_requested()) return Status(Code::cancelled, "standard input was not read to its end");
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, look_ms);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const std::size_t have = bytes.size();
    bytes.resize(have + step);
    const ssize_t got = ready < 0 ? -1 : ::read(STDIN_FILENO, bytes.data() + have, step);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable("standard input", std::strerror(errno));
    bytes.resize(have + static_cast<std::size_t>(got));
    if (got == 0) return bytes;
    if (bytes.size() > most.count())
      return Status(Code::over_budget, fmt::format("standard input: has more than {}", human_text(most)));
  }
}

}  // namespace

Result<std::vector<std::uint8_t>> read_bytes(const std::string& name, Bytes most, const std::stop_token& stop) {
  return name == "-" ? read_standard_input(most, stop) : read_regular_bytes(name, most);
}

Result<std::vector<RequestPart>> read_input(const fs::path& path, Bytes most, const std::stop_token& stop) {
  std::error_code error;
  const auto status = fs::status(path, error);
  const bool standard = path == "-";
  if (!standard && status.type() == fs::file_type::not_found) return unreadable(path, "no such file or folder");
  if (!standard && fs::is_directory(status)) return read_folder(path, most, stop);
  if (!standard && !fs::is_regular_file(status)) return unreadable(path, "neither a file nor a folder");
  auto part = read_part(path, most, stop);
  if (!part) return part.status();
  std::vector<RequestPart> parts;
  parts.push_back(*std::move(part));
  return parts;
}

Result<std::vector<RequestField>> parse_fields(const std::vector<std::string>& texts) {
  std::vector<RequestField> fields;
  for (const auto& text : texts) {
    auto field = parse_field(text);
    if (!field) return field.status();
    fields.push_back(*std::move(field));
  }
  return fields;
}

Status about_input(const Status& status, const fs::path& input) {
  return status.code() == Code::invalid_input ? status.within(shown(input)) : status;
}

Result<ProveRequest> read_request(const std::string& family, const fs::path& input,
                                  const std::vector<std::string>& fields, Bytes most, const std::stop_token& stop) {
  ProveRequest request;
  request.family = family;
  auto parsed = parse_fields(fields);
  if (!parsed) return parsed.status();
  request.fields = *std::move(parsed);
  auto parts = read_input(input, most, stop);
  if (!parts) return parts.status();
  request.parts = *std::move(parts);
  return request;
}

}  // namespace pinion::host::cli
