#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/cli/usage.hpp>
#include <pinion/printable.hpp>
#include <sstream>
#include <system_error>

namespace pinion::host::cli {
namespace {

constexpr std::string_view about =
    "pinion proves Filecoin sectors with plugins for memory, devices and proofs.\n"
    "Start with 'pinion demo'; 'pinion VERB --help' explains a verb and shows examples.";

// Which proofs exist is the plugins' business; the build says which of them examples show.
std::string with_example_family(std::string line) {
  constexpr std::string_view word = "FAMILY";
  if (const auto at = line.find(word); at != std::string::npos) line.replace(at, word.size(), PINION_EXAMPLE_FAMILY);
  return line;
}

// As CLI11 has it, but no line is wider than the terminal.
class Help final : public CLI::Formatter {
 public:
  explicit Help(std::size_t width) : width_(width) {
    column_width(beside);
    label("SUBCOMMAND", "VERB");
  }
  std::string make_description(const CLI::App* app) const override {
    return wrapped(CLI::Formatter::make_description(app), width_);
  }
  std::string make_option_desc(const CLI::Option* option) const override { return column(option->get_description()); }
  std::string make_subcommand(const CLI::App* verb) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, verb->get_display_name(true), column(verb->get_description()), beside);
    return out.str();
  }

 private:
  static constexpr std::size_t beside = 30;  // where explanations begin; CLI11 indents their further lines
  std::string column(const std::string& text) const { return wrapped(text, width_ - beside); }

  std::size_t width_;
};

Exit parse_and_act(int argc, const char* const* argv, Program& program) {
  CLI::App app{std::string(about), "pinion"};
  app.set_version_flag("--version", "pinion " PINION_VERSION, "print the version and stop");
  app.require_subcommand(1);
  app.formatter(std::make_shared<Help>(std::max(program.console.terminal().width, 60U)));
  add_demo(app, program);
  add_prove(app, program);
  add_verify(app, program);
  add_memory(app, program);
  add_params(app, program);
  add_sector(app, program);
  add_plugin(app, program);
  add_config(app, program);
  add_doctor(app, program);
  add_bench(app, program);
  add_ab(app, program);
  if (const auto problem = verb_problem(app, argc, argv)) return program.console.fail(Exit::usage, *problem);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream out;
    app.exit(asked, out, out);
    program.console.print(out.str());
    return Exit::success;
  } catch (const CLI::ParseError& error) {
    return program.console.fail(Exit::usage, usage_problem(app, error));
  }
  return program.action();
}

}  // namespace

CLI::App& add_verb(CLI::App& app, const VerbText& text) {
  auto& verb = *app.add_subcommand(text.name, text.line);
  if (!text.group.empty()) verb.group(text.group);
  std::string footer = "Examples:";
  std::istringstream lines(text.examples);
  for (std::string line; std::getline(lines, line);) footer += "\n  " + with_example_family(line);
  verb.footer(footer);
  return verb;
}

int run(int argc, const char* const* argv, Program& program) noexcept {
  try {
    const Exit outcome = parse_and_act(argc, argv, program);
    const bool lost = outcome == Exit::success && program.console.something_lost();
    return static_cast<int>(lost ? Exit::refused : outcome);
  } catch (...) {
    return thrown(program.console);
  }
}

int thrown(Console& console) noexcept {
  const auto fail = [&](Exit code, const std::string& what) { return static_cast<int>(console.fail(code, what)); };
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return fail(Exit::resources, "memory ran out beside the budget: look at 'ulimit -v' and the control group's limit");
  } catch (const std::filesystem::filesystem_error& error) {  // a folder that went away, say
    return fail(Exit::input, fmt::format("{}: {}", shown(error.path1()), error.code().message()));
  } catch (const std::exception& error) {
    const auto* system = dynamic_cast<const std::system_error*>(&error);
    if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again)
      return fail(Exit::resources,
                  "a thread was refused: look at 'ulimit -u', 'ulimit -v' and pids.max of the control "
                  "group, or lower pipeline.threads");
    return fail(Exit::internal,
                fmt::format("{}\nthis is a defect of pinion: please report it with the command line", error.what()));
  }
}

}  // namespace pinion::host::cli
