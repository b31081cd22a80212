#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/cli/setup.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/host/config/machine.hpp>
#include <pinion/host/config/render.hpp>
#include <pinion/host/plugins/tables.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

Exit check(Console& console, const HostFlags& flags) {
  const auto loaded = read_config(flags);
  if (!loaded) return console.fail(loaded.status());
  auto problems = loaded->problems;
  for (auto& problem : check_plugins(Catalog(plugin_places(flags, loaded->config)), loaded->config))
    problems.push_back(std::move(problem));
  sort_problems(problems);
  if (flags.json) {
    console.print(problems_json(problems));
  } else if (problems.empty()) {
    console.print(fmt::format("{0}: no problems\nwhether this machine suits it is seen by 'pinion doctor --config {0}'",
                              shown(flags.config)));
  } else {
    for (const Problem& problem : problems) console.note(problem.text());
    console.note(
        fmt::format("{}: {} {}", shown(flags.config), problems.size(), problems.size() == 1 ? "problem" : "problems"));
  }
  return problems.empty() ? Exit::success : Exit::config;
}

// What this machine makes of the keys that are "auto".
std::vector<std::string> machine_notes(const Config& config) {
  std::vector<std::string> notes;
  const auto machine = read_machine_memory();
  if (!machine) {
    notes.push_back("memory budget here: " + machine.status().message());
  } else {
    if (const auto decision = decide_budget(config.memory, *machine); decision) {
      notes.push_back(fmt::format("memory budget here: {} ({})", human_text(decision->budget), decision->reason));
      for (const auto& warning : decision->warnings) notes.push_back("warning: " + warning);
      if (const auto now = machine->free_now(); now && now->bytes < decision->budget)
        notes.push_back(
            fmt::format("warning: {} of it are available now ({}): a start waits while that grows, at most "
                        "memory.start_wait, and then uses what there is",
                        human_text(now->bytes), now->source));
    } else {
      notes.push_back("memory budget here: " + decision.status().message());
    }
  }
  if (const auto threads = read_machine_threads(); threads) {
    const auto count = config.pipeline.threads->value_or(threads->count());
    notes.push_back(fmt::format("threads here: {} ({})", count, threads->reason()));
    if (const auto excess = thread_excess(config.pipeline, *threads)) notes.push_back("warning: " + *excess);
  } else {
    notes.push_back("threads here: " + threads.status().message());
  }
  return notes;
}

Exit show(Console& console, const HostFlags& flags) {
  const auto config = valid_config(flags);
  if (!config) return console.fail(config.status());
  const auto notes = machine_notes(*config);
  console.print(flags.json ? config_json(*config, notes) : config_text(*config, notes));
  return Exit::success;
}

std::string default_of(const KeyInfo& key) {
  return key.default_text.empty() ? "(the machine's)" : key.default_text;
}

Exit keys(Console& console, const HostFlags& flags) {
  const auto all = config_keys();
  if (flags.json) {
    auto document = nlohmann::ordered_json::array();
    for (const auto& key : all) {
      document.push_back({{"key", key.key}, {"default", key.default_text}, {"help", key.help}});
    }
    console.print_json(document);
    return Exit::success;
  }
  for (const auto& key : all) {
    console.print(fmt::format("{} = {}\n    {}", console.styled(Style::bold, key.key), default_of(key),
                              wrapped(key.help, console.terminal().width, 4)));
  }
  return Exit::success;
}

void add_check(CLI::App& config, Program& program) {
  auto flags = std::make_shared<HostFlags>();
  auto& verb =
      add_verb(config, {"check", "every problem of a configuration file at once, with line and nearest spelling", "",
                        "pinion config check pinion.toml\npinion config check pinion.toml --json"});
  verb.add_option("FILE", flags->config, "the file to check")->type_name("")->required();
  add_plugin_path_flag(verb, *flags);
  add_json_flag(verb, *flags);
  verb.callback([&program, flags] { program.action = [&program, flags] { return check(program.console, *flags); }; });
}

void add_show(CLI::App& config, Program& program) {
  auto flags = std::make_shared<HostFlags>();
  auto& verb =
      add_verb(config, {"show", "effective values, where each came from, and what this machine makes of 'auto'", "",
                        "pinion config show\npinion config show --config pinion.toml --set memory.budget=64GiB\n"
                        "PINION_PIPELINE_THREADS=8 pinion config show --json"});
  add_host_flags(verb, *flags);
  add_json_flag(verb, *flags);
  verb.callback([&program, flags] { program.action = [&program, flags] { return show(program.console, *flags); }; });
}

void add_keys(CLI::App& config, Program& program) {
  auto flags = std::make_shared<HostFlags>();
  auto& verb = add_verb(config, {"keys", "every key there is, with its default and what it does", "",
                                 "pinion config keys\npinion config keys --json"});
  add_json_flag(verb, *flags);
  verb.callback([&program, flags] { program.action = [&program, flags] { return keys(program.console, *flags); }; });
}

}  // namespace

void add_config(CLI::App& app, Program& program) {
  auto& config = add_verb(app, {"config", "check or show the configuration", "Setup",
                                "pinion config check pinion.toml\npinion config show"});
  config.require_subcommand(1);
  add_check(config, program);
  add_show(config, program);
  add_keys(config, program);
}

}  // namespace pinion::host::cli
