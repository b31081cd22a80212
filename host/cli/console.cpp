#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/console.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

Terminal detect_terminal() {
  Terminal terminal;
  terminal.out = isatty(STDOUT_FILENO) == 1;
  terminal.err = isatty(STDERR_FILENO) == 1;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) terminal.width = size.ws_col;
  const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org: set and not empty
  const char* kind = std::getenv("TERM");
  terminal.colour = terminal.out && !(no_color && *no_color) && !(kind && std::string_view(kind) == "dumb");
  return terminal;
}

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::bold:
      return "\033[1m";
    case Style::dim:
      return "\033[2m";
    case Style::good:
      return "\033[32m";
    case Style::caution:
      return "\033[33m";
    case Style::bad:
      return "\033[31m";
  }
  return "";
}

// Printable, but for the escapes that styled() makes where a terminal shows colour.
std::string answer(std::string_view text, bool colour) {
  std::string out;
  while (!text.empty()) {
    const std::size_t escape = colour ? text.find("\033[") : text.npos;
    out += printable(text.substr(0, escape));
    if (escape == text.npos) break;
    const std::size_t last = std::min(text.find_first_not_of("0123456789", escape + 2), text.size() - 1);
    const std::string_view sequence = text.substr(escape, last + 1 - escape);
    out += sequence.ends_with('m') ? std::string(sequence) : printable(sequence);
    text.remove_prefix(last + 1);
  }
  return out;
}

}  // namespace

std::string document_text(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Console Console::standard() {
  return {std::cout, std::cerr, detect_terminal()};
}

void Console::print(std::string_view text) {
  if (out_lent_) return note(text.ends_with('\n') ? text.substr(0, text.size() - 1) : text);
  out_ << answer(text, terminal_.colour);
  if (text.empty() || text.back() != '\n') out_ << '\n';
  flush_output();
}

void Console::lend_output() {
  out_lent_ = true;
  terminal_.colour = false;  // which is known of standard output only
}

void Console::write(std::span<const std::uint8_t> bytes) {
  out_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  flush_output();
}

void Console::flush_output() {
  if (!out_.flush() && !out_failed_) {
    out_failed_ = something_lost_ = true;
    // Who reads may have seen enough (`| head`): no message, but no success either.
    if (errno != EPIPE) note(fmt::format("pinion: standard output cannot be written: {}", std::strerror(errno)));
  }
}

void Console::print_json(const nlohmann::ordered_json& document) {
  print(document_text(document));
}

void Console::lost(const Status& status) {
  something_lost_ = true;
  warn(status.message());
}

void Console::erase_drawn() {
  if (!drawn_.empty()) err_ << "\r\033[K";
}

void Console::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  erase_drawn();
  err_ << printable(text) << '\n' << drawn_ << std::flush;
}

void Console::warn(std::string_view text) {
  constexpr std::string_view head = "warning: ";
  note(std::string(head) + wrapped(text, terminal_.width, head.size()));
}

void Console::draw(std::string_view line) {
  const std::lock_guard lock(mutex_);
  erase_drawn();
  drawn_ = line;
  err_ << drawn_ << std::flush;
}

Exit Console::fail(const Status& status) {
  if (status.code() == Code::cancelled) return interrupted(status.message());
  return fail(exit_for(status.code()), status.message());
}

Exit Console::interrupted(std::string_view what) {
  note(fmt::format("interrupted: {}", what));
  return Exit::interrupted;
}

Exit Console::fail(const Status& status, std::string_view if_interrupted) {
  return status.code() == Code::cancelled ? interrupted(if_interrupted) : fail(status);
}

Exit Console::fail(Exit code, std::string_view message) {
  note("pinion: " + std::string(message));
  return code;
}

std::string Console::styled(Style style, std::string_view text) const {
  if (!terminal_.colour || style == Style::plain) return std::string(text);
  return fmt::format("{}{}\033[0m", escape_of(style), text);
}

}  // namespace pinion::host::cli
