// Every class of acceptance and refusal of vectors/prims/curve.json.
#include <catch2/catch.hpp>

#include "read.hpp"

using namespace pinion::bls;
using namespace pinion::test;
using nlohmann::json;

namespace {
const json& vectors(bool g1) {
  static const json all = read_json(small_vectors_dir() / "prims/curve.json");
  return all[g1 ? "g1" : "g2"];
}

// What a vector's class is called here. `bad_encoding` covers four of ours: the vector's description tells.
bool expected(const json& item, DecodeError error) {
  const auto name = item["class"].get<std::string>();
  if (name == "ok") return error == DecodeError::none;
  if (name == "point_not_on_curve") return error == DecodeError::not_on_curve;
  if (name == "point_not_in_group" || name == "not_in_subgroup") return error == DecodeError::not_in_subgroup;
  const auto what = item["what"].get<std::string>();
  const auto says = [&](const char* words) { return what.find(words) != std::string::npos; };
  if (says("compression flag missing") || says("without the compression flag") || says("all zero"))
    return error == DecodeError::wrong_form;
  if (says("infinity")) return error == DecodeError::bad_infinity;
  if (says("sign flag")) return error == DecodeError::bad_flags;
  if (says("all ones") && says("x ")) return error == DecodeError::wrong_form || error == DecodeError::not_canonical;
  return error == DecodeError::not_canonical;
}

template <class Point>
void check(const json& item, const Decoded<Point>& decoded, const json& reference) {
  CHECK(static_cast<bool>(decoded) == !reference.is_null());
  if (decoded && !reference.is_null()) CHECK(compressed_hex(decoded.point) == reference.get<std::string>());
  if (reference.is_null()) CHECK(expected(item, decoded.error));
}
}  // namespace

TEMPLATE_TEST_CASE("compressed points", "", G1Affine, G2Affine) {
  const json& all = vectors(std::is_same_v<TestType, G1Affine>);
  for (const char* list : {"decode_compressed", "decode_compressed_random_x"})
    for (const json& item : all[list]) {
      INFO(list << ": " << item["what"].dump());
      const auto bytes = read_bytes<compressed_size<TestType>>(item["bytes"]);
      check(item, decode_compressed<TestType>(bytes, Check::subgroup), item["checked"]);
      check(item, decode_compressed<TestType>(bytes, Check::curve), item["unchecked"]);
    }
}

TEMPLATE_TEST_CASE("uncompressed points", "", G1Affine, G2Affine) {
  for (const json& item : vectors(std::is_same_v<TestType, G1Affine>)["decode_uncompressed"]) {
    INFO(item["what"].dump());
    const auto bytes = read_bytes<uncompressed_size<TestType>>(item["bytes"]);
    if (bytes[0] & 0x80) {  // blst reads the compressed form here; we do not
      CHECK(decode_uncompressed<TestType>(bytes, Check::curve).error == DecodeError::wrong_form);
      CHECK(decode_uncompressed<TestType>(bytes, Check::subgroup).error == DecodeError::wrong_form);
      continue;
    }
    check(item, decode_uncompressed<TestType>(bytes, Check::subgroup), item["checked"]);
    check(item, decode_uncompressed<TestType>(bytes, Check::curve), item["unchecked"]);
  }
}

TEST_CASE("every refusal has its own words, and the subgroup is named") {
  const DecodeError all[] = {DecodeError::wrong_form,    DecodeError::bad_flags,    DecodeError::bad_infinity,
                             DecodeError::not_canonical, DecodeError::not_on_curve, DecodeError::not_in_subgroup};
  for (const DecodeError a : all)
    for (const DecodeError b : all) CHECK((a == b) == (std::string(describe(a)) == describe(b)));
  CHECK(std::string(describe(DecodeError::not_in_subgroup)).find("subgroup") != std::string::npos);
}
