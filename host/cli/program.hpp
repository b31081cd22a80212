// The program as a whole: what every verb is given, and how verbs are added. One file per verb (VERB.cpp), each of
// which declares its flags with CLI11 and leaves what to do in Program::action; main() then runs that one.
#pragma once

#include <filesystem>
#include <functional>
#include <pinion/host/cli/console.hpp>
#include <stop_token>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace pinion::host::cli {

struct Program {
  Console& console;
  std::stop_token stop;          // requested at SIGINT or SIGTERM
  std::filesystem::path prefix;  // where the program is installed: bin/pinion is below it, lib/pinion/plugins/ too
  std::function<Exit()> action;  // what the chosen verb does; empty until one is parsed
};

// The folder above the folder of the running executable. Throws std::filesystem::filesystem_error without /proc. [any]
std::filesystem::path installed_prefix();

// A verb of `app` with one line of help, its group in `--help`, and a footer that shows examples. [main]
struct VerbText {
  std::string name;
  std::string line;
  std::string group;
  std::string examples;  // one command per line
};
CLI::App& add_verb(CLI::App& app, const VerbText& text);

// Each adds its verb; `program` outlives `app`. [main]
void add_doctor(CLI::App& app, Program& program);

// All of the command line; returns the process's exit code and throws nothing. [main]
int run(int argc, const char* const* argv, Program& program) noexcept;

}  // namespace pinion::host::cli
