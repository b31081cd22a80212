// Parameter files, as requests find them and through pinion.keys/1, as far as it takes no making of keys.
#include <pinion/groth16.h>
#include <sys/stat.h>

#include <fstream>

#include "plugin_under_test.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;
using pinion::testing::FakeCall;

namespace {

const ParameterFiles files = parameter_files(ParameterFamily::Porep, SectorSize::k2KiB);

}  // namespace

TEST_CASE("keys that are missing, altered or not published are refused with what to do") {
  const PluginUnderTest plugin;
  const FakeCall call;
  const std::string config = std::to_string(PINION_INVALID_CONFIG) + " ";
  const pinion::test::TemporaryDirectory empty;
  REQUIRE_THAT(
      RequestUnderTest::sealed(empty.path().string()).open(plugin, call).outcome,
      Catch::StartsWith(config + "no keys for porep 2KiB: ") &&
          Catch::Contains("\n  pinion params generate porep --size 2KiB --out " + empty.path().string() + "\n") &&
          Catch::EndsWith(".vk and .params"));
  REQUIRE_THAT(RequestUnderTest::sealed("/no where/it's").open(plugin, call).outcome,
               Catch::Contains("--out '/no where/it'\\''s'\n"));

  const TestKeys keys;
  RequestUnderTest request = RequestUnderTest::sealed(keys.path());
  request.flags = 0;
  REQUIRE_THAT(request.open(plugin, call).outcome,
               Catch::StartsWith(config) &&
                   Catch::Contains("its verifying key has digest cfd2cb1cc865c88f9cb16fb0f03daf62, the published one "
                                   "dc1ade9929ade1708238f155343044ac"));
  request.flags = PINION_REQUEST_TEST_KEYS;
  { const SessionUnderTest session(plugin, request, call); }
  REQUIRE_THAT(plugin.host().lines().back().text, Catch::Contains("porep-2k: test keys, not the published ones"));

  std::filesystem::resize_file(
      std::filesystem::path(keys.path()) / parameter_files(ParameterFamily::Porep, SectorSize::k2KiB).vk(), 4000);
  REQUIRE_THAT(request.open(plugin, call).outcome,
               Catch::StartsWith(config) &&
                   Catch::Contains("4000 bytes, and the verifying key of this circuit has 4708: it is cut short"));
}

TEST_CASE("local keys are compared with what they were made as") {
  const PluginUnderTest plugin;
  const FakeCall call;
  const TestKeys keys;
  const RequestUnderTest request = RequestUnderTest::sealed(keys.path());
  const std::string config = std::to_string(PINION_INVALID_CONFIG) + " ";
  const std::string vk = keys.path() + "/" + files.vk(), params = keys.path() + "/" + files.params();

  // A verifying key and parameters of two different keys.
  auto head = pinion::test::read_file(vk);
  write(params, {head.begin(), head.end()});
  { const SessionUnderTest session(plugin, request, call); }
  head[100] ^= 1;
  write(params, {head.begin(), head.end()});
  REQUIRE_THAT(request.open(plugin, call).outcome,
               Catch::StartsWith(config + params) && Catch::Contains("the two are not of one key"));
  std::filesystem::remove(params);

  // The digest of the parameter file, which is recorded, goes into the plan; without one a bad part is the key's fault.
  pinion::test::Bytes wrong =
      pinion::test::read_file(pinion::test::small_vectors_dir() / "cases/porep-2KiB-V1_1-seed11/proof.bin");
  std::swap_ranges(wrong.begin(), wrong.begin() + 48, wrong.begin() + 144);  // a and c: points, of another proof
  {
    const SessionUnderTest session(plugin, request, call);
    REQUIRE(session.plan(PINION_JOB_GROTH16_WITNESS).resources[1]->digest == std::string(TestKeys::params_digest));
    REQUIRE_THAT(session.verify_part(0, wrong, call), Catch::StartsWith(std::to_string(PINION_PROOF_INVALID) + " "));
  }
  {  // as with params.verify_digests = false
    RequestUnderTest trusting = request;
    trusting.flags |= PINION_REQUEST_TRUST_FILES;
    const SessionUnderTest session(plugin, trusting, call);
    REQUIRE(session.plan(PINION_JOB_GROTH16_WITNESS).resources[1]->digest == std::string());
    REQUIRE_THAT(session.verify_part(0, wrong, call), Catch::StartsWith(config));
  }
  std::filesystem::remove(params + ".insecure");
  {
    const SessionUnderTest session(plugin, request, call);
    REQUIRE(session.plan(PINION_JOB_GROTH16_WITNESS).resources[1]->digest == std::string());
    REQUIRE_THAT(session.verify_part(0, wrong, call),
                 Catch::StartsWith(config) && Catch::Contains(params + " was loaded without a digest"));
  }

  write(vk + ".insecure", "Made locally.\nblake2b " + std::string(32, '0') + "\n");
  REQUIRE_THAT(request.open(plugin, call).outcome,
               Catch::StartsWith(config + vk + ": the key file differs from when it was made: digest cfd2cb1c"));
}

TEST_CASE("a verifying key is described from its file") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  Facts facts;
  pinion_error error = fresh_error();
  const std::string vk = keys.path() + "/" + files.vk();
  REQUIRE(outcome(plugin.keys->describe(plugin.self(), vk.c_str(), facts.sink(), &error), error) == "0 ");
  REQUIRE(facts.found.at("kind") == "porep-2k");
  REQUIRE(facts.found.at("bytes") == "4708");
  REQUIRE(facts.found.at("ic points") == "40");
}

TEST_CASE("files that are no parameter files, or none at all, are refused by name") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  Facts facts;
  pinion_error error = fresh_error();
  const auto describe = [&](const std::string& path) {
    return outcome(plugin.keys->describe(plugin.self(), path.c_str(), facts.sink(), &error), error);
  };
  REQUIRE(describe("/tmp/x.json") ==
          std::to_string(PINION_UNSUPPORTED) + " /tmp/x.json: neither a .params nor a .vk file");
  const auto small = pinion::test::small_vectors_dir() / "prims/groth16-small";
  for (const std::string& path : {(small / "tiny.params").string(), (small / "tiny.vk").string()})
    REQUIRE(describe(path) ==
            std::to_string(PINION_UNSUPPORTED) + " " + path + ": neither by name nor by size a key of these proofs");
  REQUIRE(facts.found.empty());
  std::filesystem::copy_file(keys.path() + "/" + files.vk(), keys.path() + "/renamed.vk");
  REQUIRE(describe(keys.path() + "/renamed.vk") == "0 ");
  REQUIRE(facts.found.at("kind") == "porep-2k or porep-8m or porep-512m");  // 40 inputs each
  REQUIRE_THAT(describe(keys.path() + "/absent.params"),
               Catch::StartsWith(std::to_string(PINION_INVALID_CONFIG) + " ") && Catch::Contains("absent.params"));
  std::ofstream(keys.path() + "/short.params") << "not a key";
  REQUIRE_THAT(describe(keys.path() + "/short.params"),
               Catch::StartsWith(std::to_string(PINION_INVALID_CONFIG) + " ") && Catch::Contains("ends at byte 9"));
}

TEST_CASE("checking a folder without its files says which is missing") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  Facts facts;
  pinion_error error = fresh_error();
  const auto check = [&](const std::string& dir) {
    return outcome(plugin.keys->check(plugin.self(), &plugin.kind(0), dir.c_str(), call.table(), facts.sink(), &error),
                   error);
  };
  const pinion::test::TemporaryDirectory empty;
  REQUIRE(check(empty.path().string()) ==
          std::to_string(PINION_INVALID_CONFIG) + " " + (empty.path() / files.vk()).string() + ": is missing");
  REQUIRE_THAT(check(keys.path()),
               Catch::StartsWith(std::to_string(PINION_INVALID_CONFIG) + " ") && Catch::Contains(files.params()));
  REQUIRE(facts.found.at("vk digest") ==
          "cfd2cb1cc865c88f9cb16fb0f03daf62 (published: dc1ade9929ade1708238f155343044ac)");
  const std::string vk = keys.path() + "/" + files.vk(), mark = vk + ".insecure";
  std::filesystem::remove(mark);
  REQUIRE(::mkfifo(mark.c_str(), 0600) == 0);  // not waited for
  REQUIRE_THAT(check(keys.path()), Catch::Contains(".vk.insecure: not a regular file"));
  std::filesystem::remove(mark);
  std::ofstream(mark).put('x');
  std::filesystem::resize_file(mark, std::uintmax_t{1} << 40);  // not read
  REQUIRE_THAT(check(keys.path()), Catch::Contains("1099511627776 bytes are too many for the mark of a local key"));
  std::filesystem::resize_file(vk, std::uintmax_t{1} << 40);
  REQUIRE_THAT(check(keys.path()), Catch::Contains("1099511627776 bytes are too many for a verifying key"));
}

TEST_CASE("a parameter file of another circuit is found out before its points are read") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  Facts facts;
  pinion_error error = fresh_error();
  std::filesystem::copy_file(pinion::test::small_vectors_dir() / "prims/groth16-small/tiny.params",
                             keys.path() + "/" + files.params());
  REQUIRE_THAT(
      outcome(
          plugin.keys->check(plugin.self(), &plugin.kind(0), keys.path().c_str(), call.table(), facts.sink(), &error),
          error),
      Catch::StartsWith(std::to_string(PINION_INVALID_CONFIG) + " ") && Catch::Contains("belongs to another circuit"));
}

TEST_CASE("keys are never made over a file that stands there") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  Facts facts;
  pinion_error error = fresh_error();
  const auto status = plugin.keys->generate(plugin.self(), &plugin.kind(0), keys.path().c_str(), "toxic", call.table(),
                                            facts.sink(), &error);
  REQUIRE(outcome(status, error) == std::to_string(PINION_UNSUPPORTED) + " " + keys.path() + "/" + files.vk() +
                                        ": stands there already; parameter files are never overwritten");
  REQUIRE_FALSE(std::filesystem::exists(keys.path() + "/" + files.vk() + ".insecure"));
}

TEST_CASE("making keys needs memory that the host may refuse") {
  const PluginUnderTest plugin;
  const pinion::test::TemporaryDirectory empty;
  pinion::testing::CallSettings settings;
  settings.memory = 1 << 20;
  const FakeCall call(settings);
  Facts facts;
  pinion_error error = fresh_error();
  REQUIRE(plugin.keys->generate(plugin.self(), &plugin.kind(0), empty.path().c_str(), "toxic", call.table(),
                                facts.sink(), &error) == PINION_OUT_OF_MEMORY);
  REQUIRE(std::filesystem::is_empty(empty.path()));
  REQUIRE(call.leaks().empty());
}
