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
#include <pinion/host/plugins/trial.hpp>
#include <pinion/printable.hpp>
#include <set>

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

// Of the plugins that are in use, those that do not load: tried in other processes, because who is to say what is wrong
// must not crash with it.
Findings examine_loading(const HostFlags& flags, const Config& config) {
  const Catalog catalog(plugin_places(flags, config));
  std::vector<std::string> ids{*config.plugins.allocator, *config.plugins.fallback};
  for (const auto* more : {&*config.plugins.backends, &*config.plugins.proofs})
    ids.insert(ids.end(), more->begin(), more->end());
  Findings findings;
  for (const auto& id : std::set(ids.begin(), ids.end()))
    if (const auto manifest = catalog.find(id))
      if (const auto tried = try_load(*manifest); !tried.ok())
        findings.push_back({Finding::Level::fail, "plugin " + id, tried.message(),
                            "install it anew, or choose another: 'pinion plugin list' shows them"});
  return findings;
}

// Without a valid configuration, and without the plugins it names, there is nothing more to look at: what is wrong is
// said, line by line.
Findings examine_setup(Program& program, const HostFlags& flags) {
  auto config = valid_config(flags);
  if (!config) return {{Finding::Level::fail, "configuration", config.status().message(), ""}};
  Findings all{{Finding::Level::pass, "configuration", flags.config.empty() ? "defaults" : shown(flags.config), ""}};
  all.push_back(examine_threads(config->pipeline));
  if (auto broken = examine_loading(flags, *config); !broken.empty()) {
    append(all, examine_budget(config->memory));
    append(all, std::move(broken));
    return all;
  }
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
