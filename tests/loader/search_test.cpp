// Where plugins are found, which of two wins, and what is said when none is there.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <pinion/host/plugins/search.hpp>
#include <pinion/test/vectors.hpp>

using namespace pinion::host;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

void add_manifest(const fs::path& dir, const std::string& file, const std::string& id, const std::string& version) {
  fs::create_directories(dir);
  std::ofstream(dir / file) << "manifest_version = 1\nid = \"" << id << "\"\nversion = \"" << version
                            << "\"\ninterfaces = [\"pinion.allocator/1\"]\nabi = \"0.1\"\nlibrary = \"x.so\"\n";
}

SearchPlace place(const fs::path& path) {
  return {path, "test", ""};
}

}  // namespace

TEST_CASE("The first manifest of an id wins, and the ones it hides are remembered") {
  const pinion::test::TemporaryDirectory dir;
  add_manifest(dir.path() / "one", "x.toml", "alloc-x", "1.0.0");
  add_manifest(dir.path() / "two", "x.toml", "alloc-x", "2.0.0");
  add_manifest(dir.path() / "two", "y.toml", "alloc-y", "1.0.0");
  const Catalog catalog({place(dir.path() / "one"), place(dir.path() / "two"), place(dir.path() / "one")});
  const auto found = catalog.find("alloc-x");
  REQUIRE(found.ok());
  CHECK(found->version == "1.0.0");
  REQUIRE(catalog.listed().size() == 3);
  CHECK_FALSE(catalog.listed()[0].shadowed_by);
  CHECK(catalog.listed()[1].shadowed_by == dir.path() / "one/x.toml");
  CHECK(catalog.listed()[1].manifest.version == "2.0.0");
  CHECK(catalog.find("alloc-y").ok());
}

TEST_CASE("A place may be one manifest") {
  const pinion::test::TemporaryDirectory dir;
  add_manifest(dir.path(), "x.toml", "alloc-x", "1.0.0");
  add_manifest(dir.path(), "y.toml", "alloc-y", "1.0.0");
  const Catalog catalog({place(dir.path() / "x.toml")});
  CHECK(catalog.find("alloc-x").ok());
  CHECK_FALSE(catalog.find("alloc-y").ok());
}

TEST_CASE("One id twice in one folder: neither is used") {
  const pinion::test::TemporaryDirectory dir;
  add_manifest(dir.path(), "a.toml", "alloc-x", "1.0.0");
  add_manifest(dir.path(), "b.toml", "alloc-x", "2.0.0");
  const Catalog catalog({place(dir.path())});
  CHECK(catalog.listed().empty());
  REQUIRE(catalog.unreadable().size() == 2);
  CHECK_THAT(catalog.unreadable()[0].status.message(),
             Contains("a.toml") && Contains("is also that of") && Contains("b.toml"));
  CHECK_THAT(catalog.find("alloc-x").status().message(), Contains("is also that of"));
}

TEST_CASE("Not found: every place, why each has none, and what there is instead") {
  const pinion::test::TemporaryDirectory dir;
  add_manifest(dir.path() / "some", "y.toml", "alloc-y", "1.0.0");
  std::ofstream(dir.path() / "some/z.toml") << "manifest_version = 9\n";
  const Catalog catalog(
      {place(dir.path() / "absent"), place(dir.path() / "some"), {"", "PINION_PLUGIN_PATH", "not set"}});
  const auto found = catalog.find("alloc-x");
  REQUIRE_FALSE(found.ok());
  CHECK(found.status().code() == Code::invalid_config);
  const std::string text = found.status().message();
  CHECK_THAT(text, Contains("no plugin \"alloc-x\" was found; did you mean \"alloc-y\"?"));
  CHECK_THAT(text, Contains((dir.path() / "absent").string() + " (test): No such file or directory"));
  CHECK_THAT(text, Contains((dir.path() / "some").string() + " (test): 1 plugins"));
  CHECK_THAT(text, Contains("PINION_PLUGIN_PATH: not set"));
  CHECK_THAT(text, Contains("z.toml") && Contains("manifest_version: is 9"));
  CHECK_THAT(text, Contains("ids found: alloc-y") && Contains("to use one from another folder: --plugin-path DIR"));
}

TEST_CASE("A plugin without a manifest is told, other libraries are not") {
  const pinion::test::TemporaryDirectory dir;
  const fs::path doubles = LOADER_DOUBLES;
  for (const char* name : {"good.so", "bad-missing-symbol.so"}) fs::copy_file(doubles / name, dir.path() / name);
  const Catalog catalog({place(dir.path())});
  CHECK(catalog.without_manifest() == std::vector{dir.path() / "good.so"});
  CHECK_THAT(catalog.find("good").status().message(), Contains("good.so: no manifest names it"));
  fs::copy_file(doubles / "good.toml", dir.path() / "good.toml");
  CHECK(Catalog({place(dir.path())}).without_manifest().empty());
}

TEST_CASE("The order of places") {
  ::setenv("PINION_PLUGIN_PATH", "/env/a:/env/b", 1);
  ::setenv("XDG_DATA_HOME", "/data", 1);
  const auto places = search_places({"/flag"}, {"/configured"});
  ::unsetenv("PINION_PLUGIN_PATH");
  ::unsetenv("XDG_DATA_HOME");
  std::vector<std::string> paths;
  for (const auto& at : places) paths.push_back(at.path.string());
  REQUIRE(paths.size() == 6);
  CHECK(std::vector<std::string>(paths.begin(), paths.begin() + 5) ==
        std::vector<std::string>{"/flag", "/env/a", "/env/b", "/configured", "/data/pinion/plugins"});
  const auto install = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib/pinion/plugins";
  CHECK(paths[5] == install.string());
}
