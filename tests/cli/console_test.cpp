#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/console.hpp>
#include <pinion/host/cli/interrupt.hpp>
#include <pinion/host/cli/progress.hpp>
#include <pinion/host/cli/table.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

using namespace pinion::host;
using namespace pinion::host::cli;
using namespace std::chrono_literals;

namespace {
struct Captured {
  std::ostringstream out;
  std::ostringstream err;
  Console console;
  explicit Captured(Terminal terminal = {}) : console(out, err, terminal) {}
};
}  // namespace

TEST_CASE("columns align, numbers to the right, nothing trails") {
  Captured to;
  Table table({{"Stage"}, {"Time", Table::Align::right}, {"Note"}});
  table.row({"open", "12 ms", ""});
  table.row({"synthesis", "1.25 s", "größer"});
  CHECK(table.text(to.console) ==
        "Stage        Time  Note\n"
        "---------  ------  ------\n"
        "open        12 ms\n"
        "synthesis  1.25 s  größer\n");
  CHECK_THROWS_AS(table.row({"short"}), std::logic_error);
}

TEST_CASE("colour appears on a terminal and changes no width") {
  Terminal colourful;
  colourful.colour = true;
  Captured plain;
  Captured coloured(colourful);
  Table table({{"A"}, {"B"}});
  table.row({{"x", Style::good}, "y"});
  auto text = table.text(coloured.console);
  CHECK(text.find("\033[32mx\033[0m  y") != std::string::npos);
  CHECK(table.text(plain.console).find('\033') == std::string::npos);
}

TEST_CASE("answers go to standard output, the rest to standard error") {
  Captured to;
  to.console.print("answer");
  to.console.print_json(nlohmann::ordered_json{{"z", 1}, {"a", "\xff"}});
  to.console.warn("careful");
  CHECK(to.console.fail(Status(Code::invalid_config, "line 3")) == Exit::config);
  CHECK(to.out.str() == "answer\n{\n  \"z\": 1,\n  \"a\": \"\xEF\xBF\xBD\"\n}\n");
  CHECK(to.err.str() == "warning: careful\npinion: line 3\n");
}

TEST_CASE("text is wrapped between words, and its own lines are kept") {
  CHECK(wrapped("one two three", 8) == "one two\nthree");
  CHECK(wrapped("one two three", 10, 3) == "one two\n   three");
  CHECK(wrapped("one two three four", 11, 4) ==
        "one two\n    three\n    four");  // no line is wider, whatever its indent
  CHECK(wrapped("one\ntwo three", 20, 2) == "one\n  two three");
  CHECK(wrapped("a_word_longer_than_that is kept", 6) == "a_word_longer_than_that\nis\nkept");
  CHECK(wrapped("", 6) == "");
  CHECK(wrapped("éé éé", 5) == "éé éé");  // columns, not bytes
}

TEST_CASE("a table wraps its last column where the terminal ends") {
  Terminal narrow;
  narrow.width = 40;
  Captured to(narrow);
  Table table({{"Key"}, {"What"}});
  table.row({"a_key_of_some_length", "what it does in so many words"});
  CHECK(table.text(to.console) ==
        "Key                   What\n--------------------  --------------------\n"
        "a_key_of_some_length  what it does in so\n                      many words\n");
}

TEST_CASE("a progress line has a bar when the total is known, and fits") {
  CHECK(progress_line("proving", 1, 4, 12s, 79) == "proving  [######------------------]   25 %  12 s");
  CHECK(progress_line("proving", 9, 4, 130s, 79) == "proving  [########################]  100 %  2 min 10 s");
  CHECK(progress_line("reading", 5, 0, 3s, 79) == "reading  3 s");
  CHECK(progress_line("proving", 1, 4, 12s, 20).size() == 20);
}

TEST_CASE("progress is silent without a terminal and drawn and taken off on one") {
  Captured quiet;
  Terminal watched;
  watched.err = true;
  Captured drawn(watched);
  {
    Progress silent(quiet.console);
    Progress visible(drawn.console);
    silent.show("proving", 1, 2);
    visible.show("proving", 1, 2);
    std::this_thread::sleep_for(1200ms);
    drawn.console.note("a line");
  }
  CHECK(quiet.err.str().empty());
  CHECK(drawn.err.str().find("proving  [############------------]   50 %  1 s") != std::string::npos);
  CHECK(drawn.err.str().find("\r\033[Ka line\nproving") != std::string::npos);
  CHECK(drawn.err.str().ends_with("\r\033[K"));
}

TEST_CASE("the first signal asks to stop") {
  const Interrupt interrupt;
  CHECK_FALSE(interrupt.token().stop_requested());
  ::kill(::getpid(), SIGTERM);  // to the process, as a terminal or a service manager sends it
  const auto deadline = std::chrono::steady_clock::now() + 5s;
  while (!interrupt.token().stop_requested() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(5ms);
  }
  CHECK(interrupt.token().stop_requested());
}

TEST_CASE("each outcome has its exit code") {
  CHECK(exit_for(Code::ok) == Exit::success);
  CHECK(exit_for(Code::invalid_input) == Exit::input);
  CHECK(exit_for(Code::invalid_config) == Exit::config);
  CHECK(exit_for(Code::out_of_memory) == Exit::resources);
  CHECK(exit_for(Code::over_budget) == Exit::resources);
  CHECK(exit_for(Code::device_lost) == Exit::resources);
  CHECK(exit_for(Code::unsupported) == Exit::refused);
  CHECK(exit_for(Code::proof_invalid) == Exit::proof_invalid);
  CHECK(exit_for(Code::cancelled) == Exit::interrupted);
  CHECK(exit_for(Code::internal) == Exit::internal);
}
