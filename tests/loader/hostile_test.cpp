// Lies of a proof plugin, one by one: each is refused with its own words or comes to nothing, and none brings the host
// down. Allocators' and entries' are in load_test.cpp, a pinion_call's in tests/bridge.
#include <catch2/catch.hpp>
#include <pinion/host/bridge/host_table.hpp>
#include <pinion/host/plugins/extras.hpp>
#include <pinion/host/plugins/proof.hpp>
#include <pinion/host/plugins/resident.hpp>

using namespace pinion::host;
using Catch::Contains;

namespace {

struct Attacked {
  MemoryLog log;
  HostTables hosts{log};
  std::shared_ptr<Instance> instance;
  Result<std::shared_ptr<ProofPlugin>> proof{Status(Code::internal, "not opened")};

  explicit Attacked(const char* attack) {
    const auto manifest = read_manifest(std::filesystem::path(LOADER_DOUBLES) / "hostile-proof.toml");
    REQUIRE(manifest.ok());
    const auto library = Library::load(*manifest);
    INFO(library.status().text());
    REQUIRE(library.ok());
    const pinion_option option{"attack", PINION_OPTION_TEXT, 0, 0, attack, nullptr};
    auto created = Instance::create(*library, hosts.host_table("hostile-proof"), {&option, 1});
    REQUIRE(created.ok());
    instance = *created;
    proof = ProofPlugin::open(instance);
  }

  Result<ProofSession> session(const char* family = "test") {
    INFO(proof.status().text());
    REQUIRE(proof.ok());
    const pinion_request request{.size = sizeof(pinion_request),
                                 .flags = 0,
                                 .family = family,
                                 .params_dir = "/nowhere",
                                 .parts = nullptr,
                                 .fields = nullptr,
                                 .part_count = 0,
                                 .field_count = 0};
    return (*proof)->open_session(request, nullptr);
  }
};

struct Row {
  const char* attack;
  Code code;
  const char* message;
};

void check(const Row& row, const Status& status) {
  INFO(row.attack << ": " << status.text());
  CHECK(status.code() == row.code);
  CHECK_THAT(status.message(), Contains(row.message) && Contains("hostile-proof"));
}

}  // namespace

TEST_CASE("Kinds that are not what they seem") {
  for (const Row& row : {Row{"kinds null", Code::invalid_config, "lists 1 kinds, expected 1 to 256"},
                         Row{"kinds none", Code::invalid_config, "lists 0 kinds"},
                         Row{"kinds huge", Code::invalid_config, "lists 4294967295 kinds"},
                         Row{"kind null", Code::invalid_config, "a kind that is a null pointer"},
                         Row{"kind size 0", Code::invalid_config, "a pinion_kind says it is 0 bytes"},
                         Row{"kind size huge", Code::invalid_config, "a pinion_kind says it is 4294967295 bytes"},
                         Row{"kind formats null", Code::invalid_config, "1 job formats, expected 1 to 64"},
                         Row{"kind formats huge", Code::invalid_config, "4294967295 job formats"},
                         Row{"kind files null", Code::invalid_config, "1 files, expected at most 64"},
                         Row{"kind files huge", Code::invalid_config, "4294967295 files"},
                         Row{"throw from kinds", Code::internal, "kinds broke a rule: let an exception out"},
                         Row{"throw from query", Code::invalid_config, "answers nothing when asked for it"}})
    check(row, Attacked(row.attack).proof.status());
  for (const char* harmless : {"", "kind misaligned", "kind texts null"}) CHECK(Attacked(harmless).session().ok());
}

TEST_CASE("Residents' formats, and samples, that are not there") {
  for (const Row& row : {Row{"resident formats null", Code::invalid_config, "a resident format without a name"},
                         Row{"resident formats huge", Code::invalid_config, "lists 4294967295 resident formats"},
                         Row{"throw from formats", Code::internal, "formats broke a rule: let an exception out"}})
    check(row, ResidentPlugin::open(Attacked(row.attack).instance).status());
  const auto samples = [](const char* attack) {
    const Attacked attacked(attack);
    return SamplesPlugin::open(*attacked.proof)->list().size();
  };
  CHECK(samples("") == 1);
  for (const char* attack : {"samples huge", "sample null", "sample size 0", "sample parts null", "sample fields huge",
                             "sample of nothing", "throw from list"}) {
    INFO(attack);
    CHECK(samples(attack) == 0);
  }
  for (const Row& row : {Row{"fake options null", Code::invalid_config, "claims 3 options but gives no list of them"},
                         Row{"fake options huge", Code::invalid_config, "claims 4294967295 options"},
                         Row{"throw from fake_options", Code::internal, "fake_options broke a rule"}}) {
    const Attacked attacked(row.attack);
    check(row, SamplesPlugin::open(*attacked.proof)->fake_options((*attacked.proof)->kinds()[0]).status());
  }
}

TEST_CASE("Sessions and plans whose numbers cannot be") {
  for (const Row& row : {Row{"open without session", Code::internal, "it succeeded but gave no session"},
                         Row{"open foreign kind", Code::internal, "a kind that it does not list"},
                         Row{"open null kind", Code::internal, "a kind that it does not list"}}) {
    Attacked attacked(row.attack);
    check(row, attacked.session().status());
    CHECK(attacked.instance->strikes() == 1);
  }
  check({"", Code::internal, "it was asked for the family \"tset\" and gave test-1k, of the family \"test\""},
        Attacked("").session("tset").status());
  for (const Row& row : {Row{"plan partitions 0", Code::internal, "0 partitions, expected 1 to 1024"},
                         Row{"plan partitions huge", Code::internal, "4294967295 partitions"},
                         Row{"plan needs huge", Code::internal, "claims 4294967295 buffers"},
                         Row{"plan needs null", Code::internal, "claims 1 buffers and gives no list of them"},
                         Row{"plan kind of memory", Code::internal, "accepts the kinds 0x80"},
                         Row{"plan free after", Code::internal, "is free after 99"},
                         Row{"plan resources huge", Code::internal, "claims 4294967295 resources"},
                         Row{"plan resources null", Code::internal, "claims 1 resources and gives no list"},
                         Row{"plan resource null", Code::internal, "resource 0 has no id or format"},
                         Row{"plan resource nameless", Code::internal, "resource 0 has no id or format"},
                         Row{"plan part 2^64-1", Code::internal, "a part of 18446744073709551615 bytes"},
                         Row{"plan proof 2^64-1", Code::internal, "a proof of 18446744073709551615 bytes"}}) {
    Attacked attacked(row.attack);
    check(row, attacked.session()->plan("test.job/1").status());
    CHECK(attacked.instance->strikes() == 1);
  }
  // What only a budget can refuse comes through as it is: no sum of it was made.
  CHECK(Attacked("plan needs 2^64-1").session()->plan("test.job/1")->needs[0].bytes == Bytes(UINT64_MAX));
  CHECK(Attacked("plan reserve 2^64-1").session()->plan("test.job/1")->reserve == Bytes(UINT64_MAX));
}

TEST_CASE("Resources of a kind that are none, or too many") {
  const auto resources = [](const Attacked& attacked) {
    return (*attacked.proof)->resources_of((*attacked.proof)->kinds()[0], "/nowhere", 0);
  };
  const auto honest = resources(Attacked(""));
  REQUIRE(honest.ok());
  CHECK(honest->size() == 1);
  for (const Row& row : {Row{"resource null", Code::internal, "resources_of broke a rule: a resource without id"},
                         Row{"resource nameless", Code::internal, "a resource without id or format"},
                         Row{"resources without end", Code::internal, "or more than 64"},
                         Row{"throw from resources_of", Code::internal, "let an exception out"}}) {
    const Attacked attacked(row.attack);
    check(row, resources(attacked).status());
    CHECK(attacked.instance->strikes() == 1);
  }
}

TEST_CASE("A proof that was not written, and an error text without an end") {
  Attacked attacked("assemble too much");
  auto session = attacked.session();
  const std::vector<std::vector<std::uint8_t>> parts{{1, 2, 3}};
  check({"assemble too much", Code::internal, "it wrote a proof of 18446744073709551615 bytes"},
        session->assemble(parts, 10).status());
  check({"", Code::internal, "it wrote a proof of 10 bytes where its plan said 12"},
        Attacked("").session()->assemble(parts, 12).status());
  const Status status = session->verify({}, nullptr);
  CHECK(status.code() == Code::proof_invalid);
  CHECK(status.message() == "hostile-proof verify: " + std::string(sizeof(pinion_error::message), 'x'));
}

TEST_CASE("Exceptions out of functions that cannot fail are strikes, and the host goes on") {
  {
    Attacked attacked("throw from retire");
    attacked.session()->retire(0);
    CHECK(attacked.instance->strikes() == 1);
  }
  {
    Attacked attacked("throw from close");
    { const auto session = attacked.session(); }
    CHECK(attacked.instance->strikes() == 1);
  }
  { const Attacked attacked("throw from destroy"); }
}
