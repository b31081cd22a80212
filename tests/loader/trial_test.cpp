// Loading that is only tried: the same answer as loading, and what the library does meanwhile happens to another
// process.
#include <catch2/catch.hpp>
#include <pinion/host/plugins/library.hpp>
#include <pinion/host/plugins/tables.hpp>
#include <pinion/host/plugins/trial.hpp>

using namespace pinion::host;
using Catch::Contains;

namespace {

Manifest manifest_of(const std::string& id) {
  auto manifest = read_manifest(std::filesystem::path(LOADER_DOUBLES) / (id + ".toml"));
  REQUIRE(manifest.ok());
  return *manifest;
}

}  // namespace

TEST_CASE("A trial says what loading says") {
  for (const char* id : {"good", "bad-id", "bad-missing-symbol", "bad-unresolved-symbol", "bad-option-type"}) {
    INFO(id);
    const Manifest manifest = manifest_of(id);
    const Status tried = try_load(manifest);
    const auto loaded = Library::load(manifest);
    CHECK(tried.code() == loaded.status().code());
    CHECK(tried.message() == loaded.status().message());
  }
  Manifest other = manifest_of("good");
  other.interfaces = {"pinion.backend/1"};
  CHECK_THAT(try_load(other).message(), Contains("says its interfaces are \"pinion.allocator/1\""));
}

TEST_CASE("A library that ends the process which loads it is refused") {
  CHECK_THAT(try_load(manifest_of("bad-aborts")).message(), Contains("doing so ended the process with signal 6"));
  CHECK_THAT(try_load(manifest_of("bad-exits")).message(), Contains("bad-exits.so cannot be loaded"));
}

TEST_CASE("A configuration is checked against a library that ends its process, and the checker lives") {
  const Catalog catalog(search_places({LOADER_DOUBLES}, {}));
  const PluginTable table;
  const auto problems = check_table(catalog, "bad-aborts", &table);
  REQUIRE(problems.size() == 1);
  CHECK_THAT(problems[0].text(), Contains("plugin.bad-aborts") && Contains("doing so ended the process with signal 6"));
  CHECK(check_table(catalog, "good", nullptr).empty());
}
