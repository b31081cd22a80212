#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <pinion/host/cli/usage.hpp>
#include <pinion/host/config/option.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> flags_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const auto* option : verb.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// How the person called it: "pinion bench mixed".
std::string command_of(const CLI::App& verb) {
  return verb.get_parent() ? command_of(*verb.get_parent()) + " " + verb.get_name() : verb.get_name();
}

std::string no_verb(const CLI::App& app) {
  return fmt::format("'{}' needs a verb; there are: {}", command_of(app), fmt::join(verbs_of(app), ", "));
}

// A flag there is not explains what else is wrong: its value is then one argument too many, or what it was to say is
// missing.
std::optional<std::string> left_over(const CLI::App& verb) {
  const auto words = verb.remaining();
  if (words.empty()) return std::nullopt;
  const auto flag = std::find_if(words.begin(), words.end(), [](auto& word) { return word.starts_with('-'); });
  if (flag == words.end())
    return fmt::format("'{}' is one argument too many for '{}'", shown(words.front()), command_of(verb));
  const auto name = flag->substr(0, flag->find('='));
  return fmt::format("'{}' has no flag {}{}", command_of(verb), shown(name), meant(name, flags_of(verb)));
}

std::string sentence(const CLI::App& verb, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string option = text.substr(0, text.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return option + (text.find("At Most") != text.npos ? " is given more than once" : " needs a value");
  for (const auto* at = &verb; at != nullptr; at = at->get_parent())
    if (const auto extra = left_over(*at)) return *extra;
  if (verb.get_require_subcommand_min() > 0 && verb.get_subcommands().empty()) return no_verb(verb);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return option + " takes no value";  // a plain flag
  return text;
}

template <class Number>
CLI::Option& number_flag(CLI::App& verb, const std::string& flag, Number& number, Bounds bounds,
                         const std::string& help) {
  const auto parse = [&number, bounds, flag](const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < bounds.least || value > bounds.most)
      throw CLI::ValidationError(
          fmt::format("{} {}: a whole number from {} to {} is expected", flag, shown(text), bounds.least, bounds.most));
    number = value;
  };
  return *verb.add_option_function<std::string>(flag, parse, help)->type_name("N");
}

}  // namespace

std::string meant(const std::string& word, const std::vector<std::string>& known) {
  const auto near = nearest(word, known);
  return near ? fmt::format("; did you mean {}?", *near) : std::string();
}

std::optional<std::string> verb_problem(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* at = &app;
  for (int i = 1; i == argc || argv[i][0] != '-'; ++i) {
    const auto names = verbs_of(*at);
    if (names.empty()) return std::nullopt;  // what follows are arguments
    if (i == argc) return fmt::format("{}\nsee: {} --help", no_verb(*at), command_of(*at));
    const std::string word = argv[i];
    if (std::find(names.begin(), names.end(), word) == names.end())
      return fmt::format("'{0}' has no verb {1}{2}\nthere are: {3}\nsee: {0} --help", command_of(*at), shown(word),
                         meant(word, names), fmt::join(names, ", "));
    at = at->get_subcommand(word);
  }
  return std::nullopt;
}

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* verb = &app;
  while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
  return fmt::format("{}\nsee: {} --help", sentence(*verb, error), command_of(*verb));
}

CLI::Option& add_number(CLI::App& verb, const std::string& flag, std::uint64_t& number, Bounds bounds,
                        const std::string& help) {
  return *number_flag(verb, flag, number, bounds, help).default_str(std::to_string(number));
}

CLI::Option& add_number(CLI::App& verb, const std::string& flag, std::optional<std::uint64_t>& number, Bounds bounds,
                        const std::string& help) {
  return number_flag(verb, flag, number, bounds, help);
}

CLI::Option& add_choice(CLI::App& verb, const std::string& flag, std::string& chosen, std::vector<std::string> words,
                        const std::string& help) {
  auto& option = *verb.add_option(flag, chosen, help)->capture_default_str();
  option.type_name(fmt::format("{}", fmt::join(words, "|")));
  option.check([words = std::move(words)](const std::string& text) {
    const bool known = std::find(words.begin(), words.end(), text) != words.end();
    return known ? std::string()
                 : fmt::format("{} is not one of {}{}", in_quotes(text), fmt::join(words, ", "), meant(text, words));
  });
  return option;
}

void names_file(CLI::Option& option) {
  option.type_name("FILE")->check([](const std::string& text) {
    return text.empty() ? std::string("is empty; the name of a file is expected") : std::string();
  });
}

void names_folder(CLI::Option& option) {
  option.type_name("DIR")->check([](const std::string& text) {
    if (text.empty()) return std::string("is empty; the name of a folder is expected");
    return text == "-" ? std::string("'-' is a standard stream, and a folder is expected; './-' is one by that name")
                       : std::string();
  });
}

}  // namespace pinion::host::cli
