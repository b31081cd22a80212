// Making the keys of the smallest kind, whole, and checking them: a gigabyte, minutes.
#include <fstream>

#include "plugin_under_test.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;
using pinion::testing::FakeCall;

TEST_CASE("keys from the label \"toxic\" are the reference's byte for byte, and marked as local") {
  const auto expected = pinion::test::read_json(pinion::test::small_vectors_dir() / "setup/porep-2KiB.json");
  const ParameterFiles files = parameter_files(ParameterFamily::Porep, SectorSize::k2KiB);
  const PluginUnderTest plugin;
  const FakeCall call;
  const pinion::test::TemporaryDirectory folder;
  Facts facts;
  pinion_error error = fresh_error();
  const auto made = plugin.keys->generate(plugin.self(), &plugin.kind(0), folder.path().c_str(), "toxic", call.table(),
                                          facts.sink(), &error);
  REQUIRE(outcome(made, error) == "0 ");
  for (const auto& [name, digest] : {std::pair{files.params(), "params_sha256"}, std::pair{files.vk(), "vk_sha256"}}) {
    const auto path = folder.path() / name;
    REQUIRE(pinion::test::sha256_hex(pinion::test::read_file(path)) == expected.at(digest).get<std::string>());
    REQUIRE_THAT(pinion::test::read_text(path.string() + ".insecure"),
                 Catch::Contains("the label \"toxic\": anybody can forge proofs"));
  }
  const auto checked =
      plugin.keys->check(plugin.self(), &plugin.kind(0), folder.path().c_str(), call.table(), facts.sink(), &error);
  REQUIRE_THAT(outcome(checked, error), Catch::StartsWith(std::to_string(PINION_UNSUPPORTED) + " ") &&
                                            Catch::Contains("sound, but not the published files"));
  REQUIRE(facts.found.at("points") == "all on the curve and in the subgroup");
  REQUIRE(call.leaks().empty());
  REQUIRE(call.violations().empty());
}
