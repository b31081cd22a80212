// The plugin through its C tables: what it offers, which requests it refuses and why, what it verifies.
#include <pinion/groth16.h>

#include <fstream>

#include "plugin_under_test.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;
using pinion::testing::FakeCall;
namespace fs = std::filesystem;

TEST_CASE("entry and tables are complete, and an unknown interface is none") {
  const PluginUnderTest plugin;
  REQUIRE(plugin.entry().magic == PINION_MAGIC);
  REQUIRE(std::string(plugin.entry().info->id) == "proof-porep");
  REQUIRE(plugin.entry().info->interface_count == 4);
  REQUIRE(plugin.entry().query(plugin.self(), "pinion.proof/12") == nullptr);
}

TEST_CASE("one kind for each sector size, with the files the reference names") {
  const PluginUnderTest plugin;
  const std::array<const char*, 5> ids{"porep-2k", "porep-8m", "porep-512m", "porep-32g", "porep-64g"};
  // Sizes of real or predicted files: the formats' specification, §7.3.
  const std::array<std::uint64_t, 5> bytes{1114707768, 1429027896, 1988841144, 47373928632, 47624967288};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const pinion_kind& kind = plugin.kind(i);
    const ParameterFiles files = parameter_files(ParameterFamily::Porep, sector_sizes[i]);
    REQUIRE(std::string(kind.id) == ids[i]);
    REQUIRE(std::string(kind.family) == "porep");
    REQUIRE(kind.sector_bytes == sector_bytes(sector_sizes[i]));
    REQUIRE(kind.file_count == 2);
    REQUIRE(std::string(kind.files[0].name) == files.params());
    REQUIRE(std::string(kind.files[0].digest) == files.params_digest);
    REQUIRE(kind.files[0].bytes == bytes[i]);
    REQUIRE(std::string(kind.files[1].name) == files.vk());
    REQUIRE(kind.files[1].bytes == (i < 3 ? 4708U : 32356U));
    REQUIRE(kind.format_count == 2);
    REQUIRE(std::string(kind.formats[0]) == PINION_JOB_GROTH16_WITNESS);
    REQUIRE(std::string(kind.wire_circuit) == (i < 3 ? "" : ids[i]));
    REQUIRE(kind.wire_kind == 1);
  }
}

TEST_CASE("requests that are refused, each with its reason") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  const auto refused = [&](auto&& change, unsigned parts = 1) {
    RequestUnderTest request = RequestUnderTest::sealed(keys.path());
    change(request);
    return request.open(plugin, call, parts).outcome;
  };
  const auto fields = [&](std::vector<pinion_field> list) {
    return refused([&](RequestUnderTest& request) { request.fields = list; });
  };
  using Catch::Contains;
  using Catch::StartsWith;
  const std::string invalid = std::to_string(PINION_INVALID_INPUT) + " ";
  const auto foreign =
      StartsWith(invalid + "replica_id: this C1 belongs to another sector or miner: it holds 1ccaa2d5");

  CHECK_THAT(fields({{"miner_id", 1001, {}}, {"sector_number", 24446, {}}}),
             foreign && Contains("miner 1001, sector 24446"));
  CHECK_THAT(fields({{"miner_id", 1000, {}}, {"sector_number", 24447, {}}}),
             foreign && Contains("miner 1000, sector 24447"));
  CHECK_THAT(fields({{"miner_id", 1000, {}}}), StartsWith(invalid + "miner_id is given without sector_number"));
  CHECK_THAT(fields({{"sector_number", 24446, {}}}), StartsWith(invalid + "sector_number is given without miner_id"));
  CHECK_THAT(fields({{"miner", 1000, {}}}), StartsWith(invalid + "field miner: unknown"));
  CHECK_THAT(fields({{"miner_id", 1, {}}, {"miner_id", 2, {}}}),
             StartsWith(invalid + "miner_id: 1 was stated first, and 2 by a field; leave one out"));
  static const std::uint8_t byte = 0;
  CHECK_THAT(fields({{"miner_id", 1000, {&byte, 1}}}),
             StartsWith(invalid + "field miner_id: bytes, a number expected"));
  CHECK_THAT(fields({{"sector_size", 8388608, {}}}), StartsWith(invalid + "the request says sector_size 8388608"));
  CHECK_THAT(fields({{"registered_proof", 0, {}}}), StartsWith(invalid + "the request says registered_proof 0"));
  CHECK_THAT(refused([](auto&) {}, 0),
             StartsWith(invalid + "a PoRep's input is one file, the C1 output") && Contains("here are 0 files"));
  CHECK_THAT(refused([](auto&) {}, 2), Contains("here are 2 files: c1.json, c1.json"));
  CHECK_THAT(refused([](RequestUnderTest& r) { r.c1.resize(100); }), StartsWith(invalid + "C1 JSON: its 100 bytes"));
}

TEST_CASE("a folder with a c1.json will do, and its meta.json states facts") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  RequestUnderTest request = RequestUnderTest::sealed(keys.path());
  const auto meta = pinion::test::small_vectors_dir() / "cases/porep-2KiB-V1_1-seed11/meta.json";
  request.beside = {{"c1.wrapped.json", "{}"}, {"meta.json", pinion::test::read_text(meta)}, {"proof.bin", "x"}};
  { const SessionUnderTest session(plugin, request, call); }
  for (const auto& [text, message] :
       {std::pair{"{\"miner_id\": 1001}", "miner_id: 1000 was stated first, and 1001 by meta.json"},
        {"{\"miner_id\": \"1000\"}", "meta.json: miner_id: a non-negative integer"},
        {"{\"registered_proof\": 1}", "the request says registered_proof 1"},
        {"[]", "meta.json: not a JSON object"}}) {
    request.beside = {{"meta.json", text}};
    CHECK_THAT(request.open(plugin, call).outcome,
               Catch::StartsWith(std::to_string(PINION_INVALID_INPUT) + " ") && Catch::Contains(message));
  }
}

TEST_CASE("a wrapped C1's sector number counts as stated, and may not contradict the request") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  RequestUnderTest request = RequestUnderTest::sealed(keys.path(), "c1.wrapped.json");
  request.fields = {{"miner_id", 1000, {}}};
  { const SessionUnderTest session(plugin, request, call); }
  request.fields = {{"miner_id", 1001, {}}};
  REQUIRE_THAT(request.open(plugin, call).outcome, Catch::Contains("belongs to another sector or miner"));
  request.fields = {{"miner_id", 1000, {}}, {"sector_number", 5, {}}};
  REQUIRE_THAT(request.open(plugin, call).outcome,
               Catch::Contains("the request says sector_number 5, the wrapper of its C1 says SectorNum 24446"));
}

TEST_CASE("commitments that do not hash to comm_r are refused before proving") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  RequestUnderTest request = RequestUnderTest::sealed(keys.path());
  auto document = nlohmann::ordered_json::parse(request.c1);
  for (auto& challenge : document["vanilla_proofs"]["StackedDrg2KiBV1"][0])
    challenge["comm_r_last_proof"]["data"]["Single"]["root"] = std::vector<int>(32, 1);
  const std::string text = document.dump();
  request.c1.assign(text.begin(), text.end());
  REQUIRE_THAT(request.open(plugin, call).outcome,
               Catch::StartsWith(std::to_string(PINION_INVALID_INPUT) +
                                 " vanilla_proofs.StackedDrg2KiBV1[0]: the roots of its trees"));
}

TEST_CASE("a request without miner and sector opens, and the log says what was not checked") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  RequestUnderTest request = RequestUnderTest::sealed(keys.path());
  request.fields.clear();
  const SessionUnderTest session(plugin, request, call);
  REQUIRE_THAT(plugin.host().lines().front().text, Catch::Contains("names no miner and sector"));
}

TEST_CASE("the reference's own proof verifies; none with a changed byte does") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  const SessionUnderTest session(plugin, RequestUnderTest::sealed(keys.path()), call);
  const auto proof =
      pinion::test::read_file(pinion::test::small_vectors_dir() / "cases/porep-2KiB-V1_1-seed11/proof.bin");
  REQUIRE(session.verify_part(0, proof, call) == "0 ");
  REQUIRE(session.verify(proof, call) == "0 ");
  const std::string invalid = std::to_string(PINION_PROOF_INVALID) + " ";
  for (std::size_t i = 0; i < proof.size(); i += 7) {
    auto changed = proof;
    changed[i] ^= 1;
    REQUIRE_THAT(session.verify_part(0, changed, call), Catch::StartsWith(invalid));
    REQUIRE_THAT(session.verify(changed, call), Catch::StartsWith(invalid));
  }
  auto longer = proof;
  longer.push_back(0);
  REQUIRE_THAT(session.verify_part(0, longer, call), Catch::StartsWith(invalid));
  REQUIRE_THAT(session.verify(longer, call), Catch::StartsWith(invalid));
  REQUIRE_THAT(session.verify({}, call), Catch::StartsWith(invalid));
  REQUIRE_THAT(session.verify_part(1, proof, call), Catch::Contains("partition 1 of a proof that has 1"));
  REQUIRE(call.leaks().empty());
  REQUIRE(call.violations().empty());
}

TEST_CASE("parts are joined in order, and only the right number of the right size") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  const SessionUnderTest session(plugin, RequestUnderTest::sealed(keys.path()), call);
  const pinion::test::Bytes part(192, 7);
  const auto assemble = [&](std::vector<pinion_bytes> parts, pinion::test::Bytes& out) {
    pinion_error error = fresh_error();
    std::uint64_t written = 0;
    const auto status =
        plugin.proof->assemble(plugin.self(), session.get(), parts.data(), static_cast<std::uint32_t>(parts.size()),
                               out.data(), out.size(), &written, &error);
    if (status == PINION_OK) REQUIRE(written == 192);
    return outcome(status, error);
  };
  pinion::test::Bytes out(192);
  REQUIRE(assemble({{part.data(), part.size()}}, out) == "0 ");
  REQUIRE(out == part);
  REQUIRE_THAT(assemble({}, out), Catch::Contains("0 parts into 192 bytes, 1 parts of 192 bytes expected"));
  REQUIRE_THAT(assemble({{part.data(), 191}}, out), Catch::Contains("a part of 191 bytes, 192 expected"));
}

TEST_CASE("a non-interactive PoRep is proved in parts only") {
  const auto c1 = input_of({"cases/porep-2KiB-V1_2_Feat_NonInteractivePoRep-seed12", "c1.json"});
  if (!c1) return;
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  RequestUnderTest request{
      *c1, {{"miner_id", 1000, {}}, {"sector_number", 28426, {}}}, PINION_REQUEST_TEST_KEYS, keys.path()};
  REQUIRE_THAT(
      request.open(plugin, call).outcome,
      Catch::StartsWith(std::to_string(PINION_INVALID_INPUT) + " StackedDrg2KiBV1_2_Feat_NonInteractivePoRep: ") &&
          Catch::Contains("SnarkPack aggregate"));
  request.flags |= PINION_REQUEST_PARTS;
  const SessionUnderTest session(plugin, request, call);
  const pinion_plan plan = session.plan(PINION_JOB_GROTH16_WITNESS);
  REQUIRE(plan.partitions == 13);
  REQUIRE(plan.part_bytes == 192);
  REQUIRE(plan.proof_bytes == 0);
  REQUIRE_THAT(session.verify(pinion::test::Bytes(13 * 192), call),
               Catch::StartsWith(std::to_string(PINION_UNSUPPORTED) + " "));
}

TEST_CASE("the sample is a request that opens") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  std::uint32_t count = 0;
  const pinion_sample* const* samples = plugin.samples->list(plugin.self(), &count);
  REQUIRE(count == 1);
  const pinion_sample& sample = *samples[0];
  RequestUnderTest request{{sample.parts[0].bytes.data, sample.parts[0].bytes.data + sample.parts[0].bytes.size},
                           {sample.fields, sample.fields + sample.field_count},
                           PINION_REQUEST_TEST_KEYS,
                           keys.path()};
  const SessionUnderTest session(plugin, request, call);
  REQUIRE(session.kind == sample.kind);
}

TEST_CASE("an input is made up as it is asked for, and what cannot be is refused with the reason") {
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  const pinion::test::TemporaryDirectory folder, second;
  Facts facts;
  const auto fake = [&](const pinion_kind& kind, const char* variant, std::int64_t miner, const fs::path& dir) {
    const std::array<pinion_option, 3> options{
        pinion_option{"variant", PINION_OPTION_TEXT, 0, 0, variant, nullptr},
        pinion_option{"miner_id", PINION_OPTION_INTEGER, 0, miner, nullptr, nullptr},
        pinion_option{"sector_number", PINION_OPTION_INTEGER, 0, 8, nullptr, nullptr}};
    pinion_error error = fresh_error();
    return outcome(plugin.samples->fake_with(plugin.self(), &kind, 1, options.data(), options.size(), dir.c_str(),
                                             call.table(), facts.sink(), &error),
                   error);
  };
  REQUIRE(fake(plugin.kind(0), "V1_1", 77, folder.path()) == "0 ");
  REQUIRE(facts.found["registered_proof"] == "StackedDrg2KiBV1_1");
  const RequestUnderTest request{pinion::test::read_file(folder.path() / "c1.json"),
                                 {{"miner_id", 77, {}}, {"sector_number", 8, {}}},
                                 PINION_REQUEST_TEST_KEYS,
                                 keys.path()};
  const SessionUnderTest session(plugin, request, call);
  REQUIRE(session.kind == &plugin.kind(0));
  // Its own file is never written over.
  REQUIRE_THAT(fake(plugin.kind(0), "V1_1", 77, folder.path()),
               Catch::StartsWith("6 ") && Catch::Contains("c1.json: cannot be written: File exists"));
  REQUIRE_THAT(fake(plugin.kind(0), "V1_1", -1, second.path()), Catch::Contains("option miner_id = -1: not negative"));
  for (const char* variant : {"Synthetic", "NonInteractive"})
    REQUIRE_THAT(fake(plugin.kind(2), variant, 77, second.path()),
                 Catch::StartsWith("6 StackedDrg512MiBV1_") && Catch::Contains("depend on every label"));
  REQUIRE(fs::is_empty(second.path()));
  // A host of ABI 0.1 gets what no option changes.
  pinion_error error = fresh_error();
  REQUIRE(plugin.samples->fake(plugin.self(), &plugin.kind(0), 1, second.path().c_str(), call.table(), &error) ==
          PINION_OK);
  REQUIRE(fs::file_size(second.path() / "c1.json") > 90000);
}
