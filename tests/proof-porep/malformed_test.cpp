// Malformed C1 outputs, each with the message an operator sees.
#include <catch2/catch.hpp>
#include <functional>
#include <pinion/plugin/error.hpp>
#include <pinion/porep/c1.hpp>

#include "cases.hpp"

using namespace pinion::filecoin;
using Json = nlohmann::ordered_json;

namespace {

const std::string proofs = "/vanilla_proofs/StackedDrg2KiBV1";
const std::string shown = "vanilla_proofs.StackedDrg2KiBV1";

// One way to break a C1: a change of its text, and how the message begins.
struct Row {
  std::string name;
  std::function<std::string(const std::string&)> damage;
  std::string message;
};

std::function<std::string(const std::string&)> edit(std::function<void(Json&)> change) {
  return [change](const std::string& text) {
    Json document = Json::parse(text);
    change(document);
    return document.dump();
  };
}
std::function<std::string(const std::string&)> set(const std::string& pointer, const Json& value) {
  return edit([=](Json& document) { document.at(Json::json_pointer(pointer)) = value; });
}
std::function<std::string(const std::string&)> erase(const std::string& pointer) {
  return edit([=](Json& document) {
    const Json::json_pointer at(pointer);
    Json& parent = document.at(at.parent_pointer());
    if (parent.is_array())
      parent.erase(std::stoul(at.back()));
    else
      parent.erase(at.back());
  });
}
// Appends a copy of the array's first element.
std::function<std::string(const std::string&)> lengthen(const std::string& pointer) {
  return edit([=](Json& document) {
    Json& list = document.at(Json::json_pointer(pointer));
    list.push_back(Json(list[0]));
  });
}
std::function<std::string(const std::string&)> replace(const std::string& from, const std::string& to) {
  return [=](std::string text) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
}
std::function<std::string(const std::string&)> constant(const std::string& text) {
  return [=](const std::string&) { return text; };
}

Json bytes32(int fill) {
  return Json(std::vector<int>(32, fill));
}

const std::vector<Row>& structure_rows() {
  static const std::vector<Row> rows{
      {"empty", constant(""), "C1 JSON: empty"},
      {"white space", constant("  \n"), "C1 JSON: empty"},
      {"not JSON", constant("hello"), "C1 JSON: begins with the byte 0x68 where '{' (0x7b) is expected"},
      {"an unknown variant with odd characters", replace("StackedDrg2KiBV1_1", "a\\u001b[31m\\nb\\u202e"),
       R"(registered_proof: "a\u001b[31m\nb\u202e" is not a registered seal proof)"},
      {"an odd key", replace("\"seed\"", "\"a\\nb\\u0007\":[tru],\"seed\""), R"("a\nb\u0007"[0]: not valid JSON: )"},
      {"a number", constant("5"), "C1 JSON: begins with the byte 0x35 where '{' (0x7b) is expected"},
      {"an array", constant("[1]"), "C1 JSON: an array, an object expected"},
      {"an empty object", constant("{}"), "C1 JSON: neither a C1 output (no field registered_proof) nor a wrapped one"},
      {"cut in the middle", [](const std::string& text) { return text.substr(0, text.size() / 2); },
       "C1 JSON: its 50049 bytes do not end with '}': was it cut short?"},
      {"without its last brace", [](const std::string& text) { return text.substr(0, text.size() - 1); },
       "C1 JSON: its 100097 bytes do not end with '}': was it cut short?"},
      {"more after the end", [](const std::string& text) { return text + "{}"; }, "C1 JSON: more text after the end"},
      {"invalid UTF-8", replace("\"seed\"", "\"se\xff\x64\""), "C1 JSON: not valid JSON: it is not UTF-8"},
      {"a control character", replace("\"seed\"", "\"se\x01\x64\""),
       "C1 JSON: not valid JSON: a text has a control character in it"},
      {"an unpaired quote", replace("\"ticket\":", "\"ticket:"), "C1 JSON: not valid JSON: "},
      {"a missing comma", replace("],\"ticket\"", "] \"ticket\""), "C1 JSON: not valid JSON: "},
      {"nested without end", replace("\"seed\"", "\"later\":" + std::string(100000, '[') + ",\"seed\""), "later"},
      {"nested too deep",
       replace("\"seed\"", "\"later\":" + std::string(200, '[') + std::string(200, ']') + ",\"seed\""), "later[0][0]"},
      {"rubbish in an ignored field", replace("\"seed\"", "\"later\":[1,tru],\"seed\""), "later[1]: not valid JSON: "},
      {"no registered proof", edit([](Json& d) {
         d.erase("registered_proof");
         d["SectorSiz"] = 1;
       }),
       "registered_proof: is missing"},
      {"registered proof unknown", set("/registered_proof", "StackedDrg16GiBV1"),
       "registered_proof: \"StackedDrg16GiBV1\" is not a registered seal proof"},
      {"registered proof a number", set("/registered_proof", 5), "registered_proof: the number 5, a string expected"},
      {"no ticket", erase("/ticket"), "ticket: is missing"},
      {"no vanilla proofs", erase("/vanilla_proofs"), "vanilla_proofs: is missing"},
      {"seed twice", replace("\"ticket\"", "\"seed\":[0],\"ticket\""), "seed: stands there twice"},
  };
  return rows;
}

const std::vector<Row>& value_rows() {
  static const std::string modulus_hex = "01000000fffffffffe5bfeff02a4bd5305d8a10908d83933487d9d2953a7ed73";
  static const Json modulus = Json(pinion::test::from_hex(modulus_hex));
  static const std::string too_large = modulus_hex + " (little-endian) is not below the modulus of the scalar field";
  static const std::vector<Row> rows{
      {"comm_r zero", set("/comm_r", bytes32(0)), "comm_r: is zero"},
      {"comm_d zero", set("/comm_d", bytes32(0)), "comm_d: is zero"},
      {"seed zero", set("/seed", bytes32(0)), "seed: is zero"},
      {"comm_r not canonical", set("/comm_r", modulus), "comm_r: " + too_large},
      {"comm_d not canonical", set("/comm_d", modulus), "comm_d: " + too_large},
      {"replica_id not canonical", set("/replica_id", modulus), "replica_id: " + too_large},
      {"31 bytes", erase("/ticket/3"), "ticket: 31 numbers, 32 expected"},
      {"33 bytes", lengthen("/ticket"), "ticket: 33 numbers, 32 expected"},
      {"no bytes", set("/ticket", Json::array()), "ticket: 0 numbers, 32 expected"},
      {"bytes as text", set("/ticket", "00"), "ticket: a string, an array expected"},
      {"bytes as null", set("/ticket", nullptr), "ticket: null, an array expected"},
      {"256", set("/seed/5", 256), "seed[5]: the number 256, a byte (0 to 255) expected"},
      {"-1", set("/seed/5", -1), "seed[5]: the number -1, a byte (0 to 255) expected"},
      {"1.5", set("/seed/5", 1.5), "seed[5]: the number 1.5, a byte (0 to 255) expected"},
      {"1e999", replace("\"seed\":[", "\"seed\":[1e999,"), "seed[0]: the number 1e999, a byte (0 to 255) expected"},
      {"2^70", replace("\"seed\":[", "\"seed\":[1180591620717411303424,"),
       "seed[0]: the number 1180591620717411303424, a byte (0 to 255) expected"},
      {"07", replace("\"seed\":[", "\"seed\":[07,"), "seed[0]: the number 07, a byte (0 to 255) expected"},
      {"a list in a byte's place", set("/seed/31", Json::array({1})), "seed[31]: an array, a byte (0 to 255) expected"},
      {"a sibling not canonical",
       set(proofs + "/0/1/replica_column_proofs/exp_parents/7/inclusion_proof/data/Single/path/path/1/hashes/6",
           modulus),
       shown + "[0][1].replica_column_proofs.exp_parents[7].inclusion_proof.data.Single.path.path[1].hashes[6]: " +
           too_large},
      {"a data leaf not canonical", set(proofs + "/0/0/comm_d_proofs/data/Single/leaf", modulus),
       shown + "[0][0].comm_d_proofs.data.Single.leaf: " + too_large},
      {"a row not canonical", set(proofs + "/0/0/replica_column_proofs/drg_parents/0/column/rows/1", modulus),
       shown + "[0][0].replica_column_proofs.drg_parents[0].column.rows[1]: " + too_large},
  };
  return rows;
}

const std::vector<Row>& count_rows() {
  static const std::vector<Row> rows{
      {"proofs of another size", edit([](Json& d) {
         d["vanilla_proofs"] = {{"StackedDrg8MiBV1", d["vanilla_proofs"]["StackedDrg2KiBV1"]}};
       }),
       "vanilla_proofs.StackedDrg8MiBV1: StackedDrg2KiBV1 expected for registered proof StackedDrg2KiBV1_1"},
      {"another registered proof", set("/registered_proof", "StackedDrg32GiBV1_1"),
       shown + ": StackedDrg32GiBV1 expected for registered proof StackedDrg32GiBV1_1"},
      {"two variants", edit([](Json& d) { d["vanilla_proofs"]["StackedDrg8MiBV1"] = nullptr; }),
       "vanilla_proofs.StackedDrg8MiBV1: stands beside another field where exactly one is expected"},
      {"no variant", set("/vanilla_proofs", Json::object()), "vanilla_proofs: an empty object, one field expected"},
      {"two partitions", lengthen(proofs), shown + ": 2 partitions, 1 expected"},
      {"no partitions", set(proofs, Json::array()), shown + ": 0 partitions, 1 expected"},
      {"non-interactive", set("/registered_proof", "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"),
       shown + ": 1 partitions, 13 expected"},
      {"one challenge", erase(proofs + "/0/1"), shown + "[0]: 1 challenges, 2 expected"},
      {"three challenges", lengthen(proofs + "/0"), shown + "[0]: 3 challenges, 2 expected"},
  };
  return rows;
}

const std::vector<Row>& proof_rows() {
  const std::string column = "/0/1/replica_column_proofs/drg_parents/2";
  const std::string column_shown = "[0][1].replica_column_proofs.drg_parents[2]";
  static const std::vector<Row> rows{
      {"31 numbers in a hash", erase(proofs + column + "/inclusion_proof/data/Single/path/path/0/hashes/3/31"),
       shown + column_shown + ".inclusion_proof.data.Single.path.path[0].hashes[3]: 31 numbers, 32 expected"},
      {"six siblings", erase(proofs + column + "/inclusion_proof/data/Single/path/path/0/hashes/3"),
       shown + column_shown + ".inclusion_proof.data.Single.path.path[0].hashes: 6 hashes, 7 expected"},
      {"a level too few", erase(proofs + column + "/inclusion_proof/data/Single/path/path/0"),
       shown + column_shown + ".inclusion_proof.data.Single.path.path: 1 levels, 2 expected"},
      {"an index beyond the arity", set(proofs + column + "/inclusion_proof/data/Single/path/path/0/index", 8),
       shown + column_shown +
           ".inclusion_proof.data.Single.path.path[0].index: the number 8, a whole number from 0 to 7 expected"},
      {"a binary tree's index", set(proofs + "/0/0/comm_d_proofs/data/Single/path/path/5/index", 2),
       shown +
           "[0][0].comm_d_proofs.data.Single.path.path[5].index: the number 2, a whole number from 0 to 1 expected"},
      {"a tree of another shape", edit([](Json& d) {
         Json& data = d["vanilla_proofs"]["StackedDrg2KiBV1"][0][0]["comm_r_last_proof"]["data"];
         data = {{"Sub", data["Single"]}};
       }),
       shown + "[0][0].comm_r_last_proof.data.Sub: this tree's proofs are of variant Single"},
      {"a layer too many in a column", lengthen(proofs + column + "/column/rows"),
       shown + column_shown + ".column.rows: 3 rows, 2 expected"},
      {"no _h", erase(proofs + column + "/column/_h"), shown + column_shown + ".column._h: is missing"},
      {"_h not null", set(proofs + column + "/column/_h", 0),
       shown + column_shown + ".column._h: the number 0, null expected"},
      {"five DRG parents", erase(proofs + "/0/0/replica_column_proofs/drg_parents/0"),
       shown + "[0][0].replica_column_proofs.drg_parents: 5 parents, 6 expected"},
      {"nine expander parents", lengthen(proofs + "/0/0/replica_column_proofs/exp_parents"),
       shown + "[0][0].replica_column_proofs.exp_parents: 9 parents, 8 expected"},
      {"a layer without labels", erase(proofs + "/0/0/labeling_proofs/1"),
       shown + "[0][0].labeling_proofs: 1 layers, 2 expected"},
      {"a node below zero", set(proofs + "/0/0/labeling_proofs/0/node", -1),
       shown + "[0][0].labeling_proofs[0].node: the number -1, a whole number from 0 to 63 expected"},
      {"a node beyond the sector", set(proofs + "/0/0/labeling_proofs/0/node", 64),
       shown + "[0][0].labeling_proofs[0].node: the number 64, a whole number from 0 to 63 expected"},
      {"a layer index beyond u32", set(proofs + "/0/0/encoding_proof/layer_index", 4294967296),
       shown +
           "[0][0].encoding_proof.layer_index: the number 4294967296, a whole number from 0 to 4294967295 expected"},
      {"no encoding proof", erase(proofs + "/0/1/encoding_proof"), shown + "[0][1].encoding_proof: is missing"},
      {"an ignored parent of 31 bytes", erase(proofs + "/0/1/encoding_proof/parents/36/0"),
       shown + "[0][1].encoding_proof.parents[36]: 31 numbers, 32 expected"},
      {"challenges of two replicas", set(proofs + "/0/1/comm_r_last_proof/data/Single/root", bytes32(1)),
       shown + "[0][1].comm_r_last_proof: its root is not that of the partition's first challenge"},
      {"challenges of two column trees",
       set(proofs + "/0/1/replica_column_proofs/c_x/inclusion_proof/data/Single/root", bytes32(1)),
       shown + "[0][1].replica_column_proofs.c_x: its root is not that of the partition's first challenge"},
  };
  return rows;
}

const std::vector<Row>& wrapper_rows() {
  static const std::vector<Row> rows{
      {"no sector number", erase("/SectorNum"), "SectorNum: is missing"},
      {"negative sector number", set("/SectorNum", -5), "SectorNum: the number -5, a whole number from 0 to "},
      {"another sector size", set("/SectorSize", 8388608),
       "registered_proof: StackedDrg2KiBV1_1 in a wrapper whose SectorSize is 8388608"},
      {"no payload", erase("/Phase1Out"), "Phase1Out: is missing"},
      {"payload an object", set("/Phase1Out", Json::object()), "Phase1Out: an object, a string expected"},
      {"payload empty", set("/Phase1Out", ""), "C1 JSON inside Phase1Out: empty"},
      {"base64 cut", edit([](Json& d) {
         auto text = d["Phase1Out"].get<std::string>();
         d["Phase1Out"] = text.substr(0, text.size() - 1);
       }),
       "Phase1Out: 133463 characters of base64, not a multiple of 4"},
      {"base64 of another alphabet", set("/Phase1Out", "eyJ_"),
       "Phase1Out: character 3 (0x5f) of the base64 text is not of its alphabet"},
      {"padding in the middle", set("/Phase1Out", "ey==eyJ9"),
       "Phase1Out: character 2 (0x3d) of the base64 text is not of its alphabet"},
      {"nothing but padding", set("/Phase1Out", "===="),
       "Phase1Out: character 0 (0x3d) of the base64 text is not of its alphabet"},
      {"payload is no C1", set("/Phase1Out", "eyJhIjoxfQ=="), "registered_proof: is missing"},
      {"more after the wrapper", [](const std::string& text) { return text + " {}"; },
       "C1 JSON: more text after the end"},
  };
  return rows;
}

void check_rows(const std::vector<Row>& rows, const char* file) {
  const auto path = pinion::test::find_vector(std::string("cases/porep-2KiB-V1_1-seed11/") + file);
  if (!path) return;
  const std::string sound = pinion::test::read_text(*path);
  for (const Row& row : rows) {
    INFO(row.name);
    const std::string text = row.damage(sound);
    REQUIRE(text != sound);
    std::string message = "accepted";
    try {
      read_c1({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    } catch (const pinion::Error& error) {
      REQUIRE(error.code() == PINION_INVALID_INPUT);
      message = error.what();
    }
    CHECK_THAT(message, Catch::StartsWith(row.message));
  }
}

}  // namespace

TEST_CASE("a C1 that is not the JSON of one is refused with its place") {
  check_rows(structure_rows(), "c1.json");
}
TEST_CASE("a wrong value in a C1 is refused with its place") {
  check_rows(value_rows(), "c1.json");
}
TEST_CASE("a C1 of another shape than its registered proof is refused with its place") {
  check_rows(count_rows(), "c1.json");
  check_rows(proof_rows(), "c1.json");
}
TEST_CASE("a malformed wrapper is refused with its place") {
  check_rows(wrapper_rows(), "c1.wrapped.json");
}

TEST_CASE("an error in wrapped text says that its position counts after decoding") {
  const auto path = pinion::test::find_vector("cases/porep-2KiB-V1_1-seed11/c1.wrapped.json");
  if (!path) return;
  Json document = Json::parse(pinion::test::read_text(*path));
  document["Phase1Out"] = "eyJyZWdpc3RlcmVkX3Byb29mIjo1fQ==";  // {"registered_proof":5}
  document["SectorSize"] = 2048;
  const std::string text = document.dump();
  REQUIRE_THROWS_WITH(
      read_c1({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}),
      Catch::Matches(
          "registered_proof: the number 5, a string expected \\(near byte 20 of the C1 JSON inside Phase1Out\\)"));
}
