#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <pinion/host/cli/program.hpp>
#include <sstream>

namespace pinion::host::cli {
namespace {

constexpr std::string_view about =
    "pinion proves Filecoin sectors with plugins for memory, devices and proofs.\n"
    "Start with 'pinion demo'; 'pinion VERB --help' explains a verb and shows examples.";

Exit parse_and_act(int argc, const char* const* argv, Program& program) {
  CLI::App app{std::string(about), "pinion"};
  app.set_version_flag("--version", "pinion " PINION_VERSION, "print the version and stop");
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);
  add_doctor(app, program);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream out;
    app.exit(asked, out, out);
    program.console.print(out.str());
    return Exit::success;
  } catch (const CLI::ParseError& error) {
    const auto verbs = app.get_subcommands();
    const auto help =
        verbs.empty() ? std::string("pinion --help") : fmt::format("pinion {} --help", verbs[0]->get_name());
    return program.console.fail(Exit::usage, fmt::format("{}\nsee: {}", error.what(), help));
  }
  return program.action();
}

}  // namespace

std::filesystem::path installed_prefix() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

CLI::App& add_verb(CLI::App& app, const VerbText& text) {
  auto& verb = *app.add_subcommand(text.name, text.line);
  if (!text.group.empty()) verb.group(text.group);
  std::string footer = "Examples:";
  std::istringstream lines(text.examples);
  for (std::string line; std::getline(lines, line);) footer += "\n  " + line;
  verb.footer(footer);
  return verb;
}

int run(int argc, const char* const* argv, Program& program) noexcept {
  try {
    return static_cast<int>(parse_and_act(argc, argv, program));
  } catch (const std::exception& error) {
    return static_cast<int>(program.console.fail(
        Exit::internal,
        fmt::format("{}\nthis is a defect of pinion: please report it with the command line", error.what())));
  }
}

}  // namespace pinion::host::cli
