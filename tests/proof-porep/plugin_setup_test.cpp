// Making the keys of the smallest kind, whole, and checking them: a gigabyte, minutes.
#include <fstream>

#include "plugin_under_test.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;
using pinion::testing::FakeCall;

namespace {

constexpr std::size_t h_offset = 4708 + 4;  // the verifying key, then the number of points

}  // namespace

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
  REQUIRE_THAT(pinion::test::read_text((folder.path() / files.vk()).string() + ".insecure"),
               Catch::EndsWith("blake2b cfd2cb1cc865c88f9cb16fb0f03daf62\n"));
  const auto checked =
      plugin.keys->check(plugin.self(), &plugin.kind(0), folder.path().c_str(), call.table(), facts.sink(), &error);
  REQUIRE_THAT(outcome(checked, error), Catch::StartsWith(std::to_string(PINION_UNSUPPORTED) + " ") &&
                                            Catch::Contains("sound, but not the published files"));
  REQUIRE(facts.found.at("points") == "all on the curve and in the subgroup");

  // Two valid points that changed places: sound by structure, and not the key that was made.
  {
    std::fstream file(folder.path() / files.params(), std::ios::in | std::ios::out | std::ios::binary);
    const std::size_t first = 1 << 20;
    std::array<char, 192> points{};
    file.seekg(static_cast<std::streamoff>(h_offset + first * 96)).read(points.data(), points.size());
    std::swap_ranges(points.begin(), points.begin() + 96, points.begin() + 96);
    file.seekp(static_cast<std::streamoff>(h_offset + first * 96)).write(points.data(), points.size());
  }
  const auto changed =
      plugin.keys->check(plugin.self(), &plugin.kind(0), folder.path().c_str(), call.table(), facts.sink(), &error);
  REQUIRE_THAT(outcome(changed, error), Catch::StartsWith(std::to_string(PINION_INVALID_CONFIG) + " ") &&
                                            Catch::Contains("differs from when it was made"));
  REQUIRE(call.leaks().empty());
  REQUIRE(call.violations().empty());
}
