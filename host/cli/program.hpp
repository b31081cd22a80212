// The program as a whole: what every verb is given, and how verbs are added. One file per verb (VERB.cpp), each of
// which declares its flags with CLI11 and leaves what to do in Program::action; main() then runs that one.
#pragma once

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
  std::function<Exit()> action;  // what the chosen verb does; empty until one is parsed
};

// A verb of `app` with one line of help, its group in `--help`, and a footer that shows examples. [main]
struct VerbText {
  std::string name;
  std::string line;
  std::string group;
  std::string examples;  // one command per line; FAMILY becomes a family there is
};
CLI::App& add_verb(CLI::App& app, const VerbText& text);

// Each adds its verb; `program` outlives `app`. [main]
void add_ab(CLI::App& app, Program& program);
void add_bench(CLI::App& app, Program& program);
void add_demo(CLI::App& app, Program& program);
void add_prove(CLI::App& app, Program& program);
void add_verify(CLI::App& app, Program& program);
void add_memory(CLI::App& app, Program& program);
void add_params(CLI::App& app, Program& program);
void add_sector(CLI::App& app, Program& program);
void add_config(CLI::App& app, Program& program);
void add_doctor(CLI::App& app, Program& program);
void add_plugin(CLI::App& app, Program& program);

// All of the command line; returns the process's exit code and throws nothing. [main]
int run(int argc, const char* const* argv, Program& program) noexcept;
// In a handler only: the exit code for what was thrown, said on the console: resources for memory and threads that are
// not to be had, else internal. [main]
int thrown(Console& console) noexcept;

}  // namespace pinion::host::cli
