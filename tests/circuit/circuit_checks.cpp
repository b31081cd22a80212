#include "circuit_checks.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test/vectors.hpp>

#include "row_digest.hpp"

namespace pinion::test {

using nlohmann::json;

namespace {

void check_rows(RowDigest& digest, const json& expected, std::uint32_t inputs) {
  for (const auto& point : expected["checkpoints"]) {
    INFO("up to " << point["path"] << ", " << point["rows"] << " rows");
    REQUIRE(point["rows"].get<std::uint64_t>() <= digest.rows());
    REQUIRE(digest.at(point["rows"].get<std::uint64_t>()) == point["digest"].get<std::string>());
  }
  digest.append_input_rows(inputs);
  CHECK(digest.rows() == expected["rows"].get<std::uint64_t>());
  CHECK(digest.terms() == expected["nnz"].get<std::array<std::uint64_t, 3>>());
  CHECK(digest.shape_sha256() == expected["shape_sha256"].get<std::string>());
  CHECK(digest.rows_sha256() == expected["rows_sha256"].get<std::string>());
}

void check_counts(const groth16::Shape& shape, const json& expected) {
  CHECK(shape.num_rows() == expected["rows"].get<std::uint64_t>());
  CHECK(shape.num_inputs() == expected["inputs"].get<std::uint32_t>());
  CHECK(shape.num_aux() == expected["aux"].get<std::uint32_t>());
  CHECK(shape.a_aux().ones == expected["a_aux_density"].get<std::uint64_t>());
  CHECK(shape.b_aux().ones == expected["b_aux_density"].get<std::uint64_t>());
  CHECK(shape.b_input().ones == expected["b_input_density"].get<std::uint64_t>());
}

}  // namespace

groth16::OwnedShape check_circuit(const std::string& name, const RecordCircuit& record) {
  const auto file = find_vector("circuits/" + name + ".json");
  ThreadExecutor executor;
  if (!file) return groth16::build(record(nullptr), executor);
  const json expected = read_json(*file)["summary"];
  std::set<std::uint64_t> checkpoints;
  for (const auto& point : expected["checkpoints"]) checkpoints.insert(point["rows"].get<std::uint64_t>());
  RowDigest digest(checkpoints);
  auto builder = record(&digest);
  check_rows(digest, expected, builder.inputs());
  const groth16::ShapeDigest shown = groth16::build(std::move(builder), executor)->digest();
  auto shape = groth16::build(record(nullptr), executor);
  CHECK(shape->digest() == shown);  // repeated parts are those that the observer saw
  check_counts(*shape, expected);
  return shape;
}

}  // namespace pinion::test
