#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/doctor/host_checks.hpp>
#include <pinion/host/cli/doctor/limits.hpp>
#include <pinion/host/cli/doctor/machine.hpp>
#include <pinion/host/cli/host.hpp>
#include <pinion/host/cli/table.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

struct Level {
  const char* name;
  Style style;
};
constexpr std::array levels{Level{"pass", Style::good}, Level{"warn", Style::caution}, Level{"FAIL", Style::bad}};

const Level& level_of(const Finding& finding) {
  return levels.at(static_cast<std::size_t>(finding.level));
}

void append(Findings& all, Findings more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Findings examine_machine() {
  Findings all{examine_processor("/"), examine_memory()};
  append(all, {examine_locked_memory(locked_memory_limit(), "/"), examine_huge_pages("/"), examine_numa("/")});
  append(all, examine_gpus("/"));
  return all;
}

// Without a valid configuration, and without the plugins it names, there is nothing more to look at: what is wrong is
// said, line by line.
Findings examine_setup(Program& program, const HostFlags& flags) {
  auto config = valid_config(flags);
  if (!config) return {{Finding::Level::fail, "configuration", config.status().message(), ""}};
  Findings all{{Finding::Level::pass, "configuration", flags.config.empty() ? "defaults" : shown(flags.config), ""}};
  all.push_back(examine_threads(config->pipeline));
  config->memory.start_wait.value = {};  // what is there now is what is looked at
  // Warnings are findings here, not lines between them.
  auto host = OneShotHost::open(program, flags, *config, {}, Needs::everything, LogLevel::off);
  if (!host) {
    append(all, examine_budget(config->memory));
    all.push_back({Finding::Level::fail, "start", host.status().message(), ""});
    return all;
  }
  const auto& prover = (*host)->prover();
  all.push_back(examine_budget(prover));
  append(all, examine_plugins(prover));
  append(all, examine_devices(prover));
  append(all, examine_slabs(prover));
  append(all, examine_parameters(prover.kinds(), *config->params.dir));
  return all;
}

std::size_t count_of(const Findings& findings, Finding::Level level) {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [&](const auto& finding) { return finding.level == level; }));
}

Exit outcome_of(const Findings& findings) {
  return count_of(findings, Finding::Level::fail) == 0 ? Exit::success : Exit::problems_found;
}

void print_findings(Console& console, const Findings& findings) {
  std::size_t width = 0;
  for (const auto& finding : findings) width = std::max(width, finding.what.size());
  const std::size_t indent = width + 8;  // the level and two gaps
  const std::size_t end = std::max<std::size_t>(console.terminal().width, indent + 40);
  for (const auto& finding : findings) {
    const auto& level = level_of(finding);
    console.print(fmt::format("{}  {:<{}}  {}", console.styled(level.style, level.name), finding.what, width,
                              wrapped(finding.found, end, indent)));
    if (!finding.fix.empty()) {
      console.print(fmt::format("{:{}}-> {}", "", indent, wrapped(finding.fix, end, indent + 3)));
    }
  }
  console.print(fmt::format("\n{} pass, {} warn, {} fail: exit code {}", count_of(findings, Finding::Level::pass),
                            count_of(findings, Finding::Level::warn), count_of(findings, Finding::Level::fail),
                            static_cast<int>(outcome_of(findings))));
}

nlohmann::ordered_json to_json(const Findings& findings) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& finding : findings) {
    list.push_back({{"level", finding.level == Finding::Level::fail ? "fail" : level_of(finding).name},
                    {"what", finding.what},
                    {"found", finding.found},
                    {"fix", finding.fix}});
  }
  return {{"findings", list},
          {"passes", count_of(findings, Finding::Level::pass)},
          {"warnings", count_of(findings, Finding::Level::warn)},
          {"failures", count_of(findings, Finding::Level::fail)}};
}

Exit examine(Program& program, const HostFlags& flags) {
  auto& console = program.console;
  auto findings = examine_machine();
  append(findings, examine_setup(program, flags));
  if (flags.json) {
    console.print_json(to_json(findings));
  } else {
    print_findings(console, findings);
  }
  return outcome_of(findings);
}

}  // namespace

void add_doctor(CLI::App& app, Program& program) {
  auto& verb = add_verb(app, {"doctor", "what of this machine helps or hinders proving, and the fix", "Setup",
                              "pinion doctor\npinion doctor --json | jq '.findings[] | select(.level != \"pass\")'"});
  auto flags = std::make_shared<HostFlags>();
  add_host_flags(verb, *flags);
  add_json_flag(verb, *flags);
  verb.callback([&program, flags] { program.action = [&program, flags] { return examine(program, *flags); }; });
}

}  // namespace pinion::host::cli
