// Where the program writes: answers to standard output, everything else (progress, warnings, errors) to standard error,
// so that output can be piped. Knows what kind of terminal is there. Not a log: the daemon's log is host/report.
#pragma once

#include <iosfwd>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <pinion/host/base/status.hpp>
#include <pinion/host/cli/exit.hpp>
#include <span>
#include <string>
#include <string_view>

namespace pinion::host::cli {

struct Terminal {
  bool out = false;     // standard output is a terminal
  bool err = false;     // standard error is a terminal
  unsigned width = 80;  // columns
  bool colour = false;  // a terminal, and NO_COLOR is not set
};

// As it is printed and written. Bytes that are not UTF-8 (names of files) are replaced: they must not make all of it
// unreadable for a program. [any]
std::string document_text(const nlohmann::ordered_json& document);

enum class Style { plain, bold, dim, good, caution, bad };

class Console {
 public:
  // Both streams outlive the console. [main]
  Console(std::ostream& out, std::ostream& err, Terminal terminal) : out_(out), err_(err), terminal_(terminal) {}

  // Standard output and error of this process. [main]
  static Console standard();

  const Terminal& terminal() const noexcept { return terminal_; }

  // One line (or several) to standard output. What cannot be written is said once, to standard error. Whatever is
  // printed, here or below, moves no cursor and is UTF-8: see pinion/printable.hpp. [main]
  void print(std::string_view text);
  void print_json(const nlohmann::ordered_json& document);

  // From here on standard output is a file that somebody asked for ("--out -"), in write()'s bytes alone; what print()
  // is given goes to standard error. [main]
  void lend_output();
  void write(std::span<const std::uint8_t> bytes);

  // Something that was asked for, an answer or a file beside it, was not written: said, and no success. [main]
  void lost(const Status& status);
  bool something_lost() const noexcept { return something_lost_; }
  // One line to standard error: for people who watch. Warnings are wrapped where the terminal ends. [any]
  void note(std::string_view text);
  void warn(std::string_view text);

  // Replaces what draw() has put on the last line of the terminal; "" leaves nothing there. Other lines go above it.
  // Only where standard error is a terminal. [any]
  void draw(std::string_view line);

  // "pinion: <message>" to standard error; returns the exit code that goes with it. [any]
  Exit fail(const Status& status);
  Exit fail(Exit code, std::string_view message);
  // The operator ended it: no failure. "interrupted: <what>", which is not where in the program it was, but what was
  // stopped and what was kept. [any]
  Exit interrupted(std::string_view what);
  // The one or the other. [any]
  Exit fail(const Status& status, std::string_view if_interrupted);
  // The same where an argument of the command line is at fault, whatever the code. [any]
  Exit misused(const Status& status) { return fail(Exit::usage, status.message()); }

  // `text` in a style where standard output is a terminal that shows colour, else as it is. [any]
  std::string styled(Style style, std::string_view text) const;

 private:
  void erase_drawn();
  void flush_output();

  std::ostream& out_;
  std::ostream& err_;
  Terminal terminal_;
  bool out_lent_ = false;
  bool out_failed_ = false;
  bool something_lost_ = false;
  std::mutex mutex_;  // of standard error, which several threads write to
  std::string drawn_;
};

}  // namespace pinion::host::cli
