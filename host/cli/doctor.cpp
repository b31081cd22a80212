#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <pinion/host/cli/doctor/machine.hpp>
#include <pinion/host/cli/program.hpp>

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

Findings examine_machine() {
  Findings all{examine_processor("/"), examine_locked_memory(locked_memory_limit()), examine_huge_pages("/"),
               examine_numa("/")};
  for (auto& finding : examine_gpus("/")) all.push_back(std::move(finding));
  return all;
}

std::size_t failures_in(const Findings& findings) {
  std::size_t failures = 0;
  for (const auto& finding : findings) failures += finding.level == Finding::Level::fail ? 1 : 0;
  return failures;
}

void print_findings(Console& console, const Findings& findings) {
  std::size_t width = 0;
  for (const auto& finding : findings) width = std::max(width, finding.what.size());
  for (const auto& finding : findings) {
    const auto& level = level_of(finding);
    console.print(
        fmt::format("{}  {:<{}}  {}", console.styled(level.style, level.name), finding.what, width, finding.found));
    if (!finding.fix.empty()) console.print(fmt::format("{:{}}-> {}", "", width + 8, finding.fix));
  }
}

nlohmann::ordered_json to_json(const Findings& findings) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& finding : findings) {
    list.push_back({{"level", finding.level == Finding::Level::fail ? "fail" : level_of(finding).name},
                    {"what", finding.what},
                    {"found", finding.found},
                    {"fix", finding.fix}});
  }
  return {{"findings", list}, {"failures", failures_in(findings)}};
}

Exit examine(Console& console, bool json) {
  const auto findings = examine_machine();
  if (json) {
    console.print_json(to_json(findings));
  } else {
    print_findings(console, findings);
  }
  return failures_in(findings) == 0 ? Exit::success : Exit::problems_found;
}

}  // namespace

void add_doctor(CLI::App& app, Program& program) {
  auto& verb = add_verb(app, {"doctor", "what of this machine helps or hinders proving, and the fix", "Setup",
                              "pinion doctor\npinion doctor --json | jq '.findings[] | select(.level != \"pass\")'"});
  auto json = std::make_shared<bool>(false);
  verb.add_flag("--json", *json, "print JSON");
  verb.callback([&program, json] { program.action = [&program, json] { return examine(program.console, *json); }; });
}

}  // namespace pinion::host::cli
