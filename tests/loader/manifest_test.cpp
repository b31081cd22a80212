// Manifests: what is read, and what each fault says.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <pinion/host/plugins/manifest.hpp>
#include <pinion/test/vectors.hpp>

using namespace pinion::host;
using Catch::Contains;

namespace {

const std::string good =
    "manifest_version = 1\nid = \"alloc-x\"\nversion = \"1.2.3\"\ninterfaces = [\"pinion.allocator/1\"]\n"
    "abi = \"0.1\"\nlibrary = \"alloc-x.so\"\n";

std::string deep_key(std::size_t steps) {
  std::string key = "a";
  while (--steps > 0) key += ".a";
  return key;
}

Result<Manifest> read(const std::string& text) {
  const pinion::test::TemporaryDirectory dir;
  std::ofstream(dir.path() / "m.toml") << text;
  return read_manifest(dir.path() / "m.toml");
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = good;
  text.replace(text.find(from), from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("A manifest is read, its library beside it") {
  const pinion::test::TemporaryDirectory dir;
  std::ofstream(dir.path() / "m.toml") << good << "sha256 = \"" << std::string(64, 'a') << "\"\n";
  const auto manifest = read_manifest(dir.path() / "m.toml");
  REQUIRE(manifest.ok());
  CHECK(manifest->id == "alloc-x");
  CHECK(manifest->version == "1.2.3");
  CHECK(manifest->interfaces == std::vector<std::string>{"pinion.allocator/1"});
  CHECK(manifest->abi_major == 0);
  CHECK(manifest->abi_minor == 1);
  CHECK(manifest->library == dir.path() / "alloc-x.so");
  CHECK(manifest->sha256 == std::string(64, 'a'));
}

TEST_CASE("Each fault of a manifest has its place and its reason") {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {replaced("manifest_version = 1", "manifest_version = 2"),
       "m.toml:1:20: manifest_version: is 2, this host reads 1"},
      {replaced("manifest_version = 1\n", ""), "manifest_version: is missing"},
      {replaced("manifest_version = 1", "manifest_version = \"1\""), "manifest_version: is missing or not a number"},
      {replaced("id = \"alloc-x\"", "id = \"Alloc X\""), "m.toml:2:6: id: \"Alloc X\" is not [a-z0-9-]"},
      {replaced("id = \"alloc-x\"", "id = \"" + std::string(64, 'a') + "\""), "at most 63 characters"},
      {replaced("id = \"alloc-x\"", "id = 7"), "m.toml:2:6: id: is not a text"},
      {replaced("version = \"1.2.3\"\n", ""), ": version: is missing"},
      {replaced("[\"pinion.allocator/1\"]", "[]"), "interfaces: is not a list of texts with at least one"},
      {replaced("[\"pinion.allocator/1\"]", "[1]"), "interfaces: is not a list of texts"},
      {replaced("abi = \"0.1\"", "abi = \"one\""), "m.toml:5:7: abi: \"one\" is not MAJOR.MINOR"},
      {replaced("abi = \"0.1\"", "abi = \"0.1.2\""), "is not MAJOR.MINOR"},
      {replaced("abi = \"0.1\"", "abi = \"0.99999\""), "is not MAJOR.MINOR"},
      {replaced("library = \"alloc-x.so\"", "library = \"\""), "library: is not a text, or empty"},
      {good + "sha256 = \"xyz\"\n", "sha256: is not 64 lower-case hexadecimal digits"},
      {good + "licence = \"MIT\"\n", "m.toml:7:11: licence: is not a key of manifests"},
      {good + "[[[\n", "m.toml:7"},
      {"", "m.toml: is empty"},
      {good + deep_key(100'000) + " = 1\n", "m.toml:7: a key of more than 16 steps"},
  };
  for (const auto& [text, reason] : faults) {
    const auto manifest = read(text);
    INFO(text);
    REQUIRE_FALSE(manifest.ok());
    CHECK(manifest.status().code() == Code::invalid_config);
    CHECK_THAT(manifest.status().message(), Contains(reason));
  }
}

TEST_CASE("All faults of a manifest are told at once") {
  const auto manifest = read(replaced("1.2.3", "") + "color = 1\n");
  REQUIRE_FALSE(manifest.ok());
  CHECK_THAT(manifest.status().message(), Contains(": version:") && Contains(": color:"));
}

TEST_CASE("A pipe with a manifest's name is refused, not waited for") {
  const pinion::test::TemporaryDirectory dir;
  const auto pipe = dir.path() / "m.toml";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto manifest = read_manifest(pipe);
  CHECK(manifest.status().code() == Code::invalid_config);
  CHECK_THAT(manifest.status().message(), Contains("m.toml: not a regular file"));
}

TEST_CASE("A manifest of a terabyte is refused unread") {
  const pinion::test::TemporaryDirectory dir;
  const auto path = dir.path() / "m.toml";
  std::ofstream(path).put('\n');
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  CHECK_THAT(read_manifest(path).status().message(), Contains("has 1099511627776 bytes"));
}
