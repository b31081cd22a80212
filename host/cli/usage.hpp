// What is wrong with a command line, in words: the nearest verb, flag or word that there is, and where to read on.
// CLI11 finds it; its own sentences are for programmers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace pinion::host::cli {

// Before `app` parses: a verb that is missing or misspelt. [main]
std::optional<std::string> verb_problem(const CLI::App& app, int argc, const char* const* argv);
// After `app` has thrown `error`. [main]
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

// "; did you mean --json?": the nearest of `known`, or nothing where none is near. [any]
std::string meant(const std::string& word, const std::vector<std::string>& known);

// A flag that takes a whole number from `least` to `most`, decimal; without it `number` stays as it is, which the help
// says of one that is there. `number` outlives `verb`. [main]
struct Bounds {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};
CLI::Option& add_number(CLI::App& verb, const std::string& flag, std::uint64_t& number, Bounds bounds,
                        const std::string& help);
CLI::Option& add_number(CLI::App& verb, const std::string& flag, std::optional<std::uint64_t>& number, Bounds bounds,
                        const std::string& help);

// The same for one of `words`; `chosen` is one of them. [main]
CLI::Option& add_choice(CLI::App& verb, const std::string& flag, std::string& chosen, std::vector<std::string> words,
                        const std::string& help);

// For a flag that names a file: "" is refused. For one that names a folder: "-" too, which is a file. [main]
void names_file(CLI::Option& option);
void names_folder(CLI::Option& option);

}  // namespace pinion::host::cli
