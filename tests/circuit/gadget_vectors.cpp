#include "gadget_vectors.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/test/vectors.hpp>

#include "row_digest.hpp"

namespace pinion::test {

using circuit::Fr;
using nlohmann::json;

Fr fr_from_hex(const std::string& hex) {
  const Bytes bytes = from_hex(hex);
  const auto value = bytes.size() == 32 ? Fr::from_bytes(std::span<const std::uint8_t, 32>(bytes)) : std::nullopt;
  if (!value) throw std::runtime_error("not a scalar: " + hex);
  return *value;
}

namespace {

std::vector<Fr> scalars(const json& list) {
  std::vector<Fr> out;
  for (const auto& hex : list) out.push_back(fr_from_hex(hex.get<std::string>()));
  return out;
}

GadgetCase read_case(const json& j) {
  GadgetCase c;
  if (j.contains("nums")) c.nums = scalars(j["nums"]);
  if (j.contains("bits"))
    for (const char bit : j["bits"].get<std::string>()) c.bits.push_back(bit == '1');
  if (j.contains("ints"))
    for (const auto& i : j["ints"]) c.ints.push_back(std::stoull(i.get<std::string>()));
  if (j.contains("path"))
    for (const auto& level : j["path"])
      c.path.push_back({level["index"].get<std::uint8_t>(), scalars(level["siblings"])});
  return c;
}

groth16::OwnedShape check_rows(const Gadget& gadget, const json& expected) {
  std::set<std::uint64_t> checkpoints;
  const json after = expected.value("rows_sha256_after", json::array());
  for (const auto& point : after) checkpoints.insert(point[0].get<std::uint64_t>());
  RowDigest digest(checkpoints);
  SerialExecutor executor;
  const GadgetCase operands = read_case(expected["cases"][0]);
  auto shape = record_shape([&](circuit::ShapeRecorder& cs) { gadget.record(cs, operands); }, executor, &digest);
  for (const auto& point : after) {
    INFO("first " << point[0] << " rows");
    REQUIRE(digest.rows() >= point[0].get<std::uint64_t>());
    REQUIRE(digest.at(point[0].get<std::uint64_t>()) == point[1].get<std::string>());
  }
  CHECK(digest.rows() == expected["rows"].get<std::uint64_t>());
  CHECK(digest.terms() == expected["nnz"].get<std::array<std::uint64_t, 3>>());
  CHECK(digest.shape_sha256() == expected["shape_sha256"].get<std::string>());
  CHECK(digest.rows_sha256() == expected["rows_sha256"].get<std::string>());
  CHECK(shape->num_aux() == expected["aux"].get<std::uint32_t>());
  CHECK(shape->num_inputs() == expected["inputs"].get<std::uint32_t>());
  return shape;
}

void check_values(const Gadget& gadget, const groth16::Shape& shape, const json& expected) {
  circuit::PackedWitness witness(shape);
  GadgetResult result;
  const GadgetCase operands = read_case(expected);
  write_witness([&](circuit::WitnessWriter& cs) { result = gadget.write(cs, operands); }, shape, witness.buffers());
  REQUIRE(check_witness(shape, witness.view()));
  std::map<std::uint32_t, std::string> first;
  for (const auto& point : expected.value("aux_sha256_first", json::array()))
    first[point[0].get<std::uint32_t>()] = point[1].get<std::string>();
  ScalarDigest digest;
  for (std::uint32_t i = 0; i < shape.num_aux(); ++i) {
    digest.add(aux_value(shape, witness.view(), i));
    if (const auto point = first.find(i + 1); point != first.end()) {
      INFO("first " << i + 1 << " aux");
      REQUIRE(digest.hex() == point->second);
    }
  }
  CHECK(digest.hex() == expected["aux_sha256"].get<std::string>());
  const auto inputs = witness.view().inputs.subspan(1);
  CHECK(std::vector<Fr>(inputs.begin(), inputs.end()) == scalars(expected["public_inputs"]));
  std::vector<Fr> nums;
  for (const auto& num : result.nums) nums.push_back(num.value);
  CHECK(nums == scalars(expected.value("out_nums", json::array())));
  std::string bits;
  for (const auto& bit : result.bits) bits.push_back(bit.value ? '1' : '0');
  CHECK(bits == expected.value("out_bits", std::string()));
  SerialExecutor executor;
  CHECK(first_unsatisfied_row(shape, witness.view(), executor) == shape.num_rows());
}

}  // namespace

void Gadgets::check_all() const {
  const auto file = find_vector("prims/gadgets.json");
  if (!file) return;
  std::map<std::string, json> expected;
  const json all = read_json(*file);
  for (const auto& gadget : all["gadgets"]) expected[gadget["name"].get<std::string>()] = gadget;
  for (const auto& [name, gadget] : gadgets_) {
    INFO(name);
    REQUIRE(expected.contains(name));
    const auto shape = check_rows(gadget, expected[name]);
    for (const auto& operands : expected[name]["cases"]) {
      INFO(operands["label"].get<std::string>());
      check_values(gadget, *shape, operands);
    }
  }
}

}  // namespace pinion::test
