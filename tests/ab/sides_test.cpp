#include <catch2/catch.hpp>
#include <pinion/host/ab/sides.hpp>
#include <pinion/host/config/load.hpp>

using namespace pinion::host;
using namespace pinion::host::ab;

namespace {

Config side(const std::string& overlay) {
  ConfigSources sources;
  sources.file = "base.toml";
  sources.file_text = "[plugins]\nallocator = \"alloc-x\"\n[plugin.alloc-x]\nchunk = 1\n";
  sources.overlay = ConfigFile{"side.toml", overlay};
  sources.defaults = {"alloc-x", {"backend-x"}, {"proof-x"}, "a test"};
  const LoadedConfig loaded = load_config(sources);
  INFO(problems_text(loaded.problems));
  REQUIRE(loaded.ok());
  return loaded.config;
}

// Of all plugins here: one option, which is false by default.
std::vector<DeclaredOption> declares_huge(const std::string&) {
  return {{"huge", {OptionType::boolean, {}}, "false", ""}};
}

std::vector<Difference> differences(const Config& a, const Config& b) {
  auto out = host_differences(a, b);
  for (Difference& one : plugin_differences(a, b, declares_huge)) out.push_back(std::move(one));
  return out;
}

}  // namespace

TEST_CASE("allocators, their options, backends and the route can be compared") {
  const auto found =
      differences(side(""), side("[plugins]\nallocator = \"alloc-y\"\nbackends = [\"backend-y\"]\n"
                                 "[pipeline]\njob_format = \"witness\"\n[plugin.alloc-y]\nhuge = true\n"));
  REQUIRE(found.size() == 4);
  for (const Difference& one : found) CHECK(one.effect == Effect::compared);
  CHECK(found[0].key == "plugins.allocator");
  CHECK(found[0].of_allocator);
  CHECK_FALSE(found[1].of_allocator);
  CHECK(found[3].key == "plugin.alloc-y.huge");
  CHECK(found[3].a.empty());
  CHECK(refusals(found).empty());
  CHECK(idle_differences(found).empty());
}

TEST_CASE("what both sides share cannot differ; each refusal names the file and the key") {
  const auto found = refusals(differences(side("[memory]\nbudget = \"8GiB\"\n"),
                                          side("[pipeline]\nthreads = 4\n[plugin.backend-x]\nstreams = 2\n")));
  REQUIRE(found.size() == 3);
  const std::string text = problems_text(found);
  CHECK_THAT(text, Catch::Contains("side.toml:2") && Catch::Contains("memory.budget") &&
                       Catch::Contains("pipeline.threads") && Catch::Contains("plugin.backend-x.streams") &&
                       Catch::Contains("share one instance"));
}

TEST_CASE("equal sides and settings without effect are said") {
  CHECK_THAT(idle_differences(differences(side(""), side(""))).at(0), Catch::Contains("the same configuration"));
  const auto idle =
      idle_differences(differences(side(""), side("[daemon]\ngrace_period = \"1m\"\n[plugin.alloc-unused]\nx = 1\n")));
  REQUIRE(idle.size() == 3);
  CHECK_THAT(idle[0], Catch::Contains("daemon.grace_period"));
  CHECK_THAT(idle[1], Catch::Contains("plugin.alloc-unused.x"));
  CHECK_THAT(idle[2], Catch::Contains("the same configuration"));
}

TEST_CASE("an option that is written as its default is does not differ from one that is not written") {
  const std::string explicit_default = "[plugin.alloc-x]\nhuge = false\n[plugin.backend-x]\nhuge = false\n";
  CHECK(differences(side(""), side(explicit_default)).empty());
  CHECK(differences(side(explicit_default), side("")).empty());
  const auto found = differences(side(""), side("[plugin.alloc-x]\nhuge = true\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].a == "false");
  CHECK(found[0].b == "true");
  CHECK(found[0].of_allocator);
}

TEST_CASE("an option of an allocator that one side does not use says nothing of that side") {
  const auto found = differences(side("[plugin.alloc-y]\nhuge = false\n"),
                                 side("[plugins]\nallocator = \"alloc-y\"\n[plugin.alloc-y]\nhuge = true\n"));
  REQUIRE(found.size() == 2);
  CHECK(found[1].key == "plugin.alloc-y.huge");
  CHECK(found[1].a.empty());
  CHECK(found[1].b == "true");
}

TEST_CASE("a secret that differs is not shown") {
  const auto found = differences(side("[daemon]\ntoken = \"abc\"\n"), side("[daemon]\ntoken = \"def\"\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].a == "(hidden)");
  CHECK(found[0].effect == Effect::none);
}
