#include <catch2/catch.hpp>
#include <pinion/host/config/plugin_options.hpp>

#include "sources.hpp"

using namespace pinion::host;
using namespace pinion::host::test;

namespace {

DeclaredOption declared(std::string key, OptionType type, std::optional<std::string> default_text,
                        std::vector<std::string> choices = {}) {
  DeclaredOption option;
  option.key = std::move(key);
  option.rule.type = type;
  option.rule.choices = std::move(choices);
  option.default_text = std::move(default_text);
  option.help = "for a test";
  return option;
}

const std::vector<DeclaredOption> kDeclared = {
    declared("fast", OptionType::boolean, "true"),       declared("lanes", OptionType::integer, "-3"),
    declared("chunk", OptionType::size, "64MiB"),        declared("patience", OptionType::duration, "10s"),
    declared("mode", OptionType::text, "a", {"a", "b"}), declared("devices", OptionType::list, "all"),
};

CheckedOptions check(const std::string& toml_text, const std::vector<DeclaredOption>& options = kDeclared) {
  const LoadedConfig loaded = load_config(toml(toml_text));
  REQUIRE(loaded.ok());
  const auto it = loaded.config.plugin_tables.find("p-x");
  return check_options("p-x", options, it == loaded.config.plugin_tables.end() ? nullptr : &it->second);
}

}  // namespace

TEST_CASE("without a table a plugin gets its own defaults", "[config]") {
  const CheckedOptions checked = check("");
  REQUIRE(problems_text(checked.problems).empty());
  REQUIRE(checked.options.size() == kDeclared.size());
  CHECK(std::get<bool>(checked.options[0].value));
  CHECK(std::get<std::int64_t>(checked.options[1].value) == -3);
  CHECK(std::get<Bytes>(checked.options[2].value) == mib(64));
  CHECK(std::get<Duration>(checked.options[3].value) == std::chrono::seconds(10));
  CHECK(std::get<std::string>(checked.options[4].value) == "a");
  CHECK(std::get<std::vector<std::string>>(checked.options[5].value) == std::vector<std::string>{"all"});
  CHECK(checked.options[0].origin.text() == "default");
}

TEST_CASE("written options are parsed as declared, with their places", "[config]") {
  const CheckedOptions checked = check(
      "[plugin.p-x]\nfast = false\nlanes = 7\nchunk = \"1GiB\"\npatience = \"1m\"\nmode = \"b\"\ndevices = [0, "
      "\"GPU-1\"]");
  REQUIRE(problems_text(checked.problems).empty());
  CHECK(std::get<std::int64_t>(checked.options[1].value) == 7);
  CHECK(std::get<Bytes>(checked.options[2].value) == gib(1));
  CHECK(std::get<std::vector<std::string>>(checked.options[5].value) == std::vector<std::string>{"0", "GPU-1"});
  CHECK(checked.options[5].origin.text() == "p.toml:7");
}

TEST_CASE("wrong options are told with line, path and a suggestion", "[config]") {
  const CheckedOptions checked = check(
      "[plugin.p-x]\nchnk = \"1GiB\"\nchunk = \"1G\"\nfast = 1\nmode = \"c\"\nzzz = 1\n[plugin.p-x.inner]\nx = 1\n");
  const std::string text = problems_text(checked.problems);
  CHECK(checked.problems.size() == 6);
  CHECK_THAT(text, Catch::Contains("p.toml:2:8: plugin.p-x.chnk = \"1GiB\": p-x declares no such option; did you mean "
                                   "\"chunk\"?"));
  CHECK_THAT(text, Catch::Contains("p.toml:3:9: plugin.p-x.chunk = \"1G\": \"1G\" is not a size; did you mean "
                                   "\"1GiB\"?"));
  CHECK_THAT(text, Catch::Contains("p.toml:4:8: plugin.p-x.fast = 1: expected true or false, found an integer"));
  CHECK_THAT(text, Catch::Contains("plugin.p-x.mode = \"c\": expected one of \"a\", \"b\""));
  CHECK_THAT(text, Catch::Contains("plugin.p-x.zzz = 1: p-x declares no such option; it has fast, lanes, chunk"));
  CHECK_THAT(text, Catch::Contains("plugin.p-x.inner = (table): p-x declares no such option"));
}

TEST_CASE("a required option that is missing is a problem", "[config]") {
  const std::vector<DeclaredOption> required = {declared("key", OptionType::text, std::nullopt)};
  CHECK_THAT(problems_text(check("", required).problems), Catch::Contains("default: plugin.p-x.key: is missing"));
  CHECK_THAT(problems_text(check("\n[plugin.p-x]\n", required).problems),
             Catch::StartsWith("p.toml:2:") && Catch::Contains("plugin.p-x.key: is missing"));
  CHECK(check("[plugin.p-x]\nkey = \"x\"", required).ok());
}

TEST_CASE("a plugin's wrong default is the plugin's fault", "[config]") {
  const CheckedOptions checked = check("", {declared("chunk", OptionType::size, "lots")});
  REQUIRE(checked.problems.size() == 1);
  CHECK_THAT(checked.problems[0].message, Catch::Contains("fault of the plugin"));
}
