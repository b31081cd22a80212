#include "witness_checks.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test/vectors.hpp>

#include "gadget_vectors.hpp"
#include "row_digest.hpp"

namespace pinion::test {

using circuit::Fr;
using nlohmann::json;

namespace {

// For files that not every case has, so that their absence is no reason to report a skipped test.
bool has_vector(const std::string& file) {
  return std::filesystem::exists(vectors_dir() / file) || std::filesystem::exists(small_vectors_dir() / file);
}

// A digest of scalars that is compared on the way, wherever the reference noted the digest of a beginning.
class CheckedDigest {
 public:
  void expect(std::uint64_t count, const json& point, std::string digest) {
    points_[count] = {point["path"].get<std::string>(), std::move(digest)};
  }
  void add(const Fr& value) {
    digest_.add(value);
    const auto point = points_.find(++count_);
    if (point == points_.end()) return;
    INFO("the first " << count_ << ", up to " << point->second.first);
    REQUIRE(digest_.hex().starts_with(point->second.second));
  }
  std::string hex() { return digest_.hex(); }

 private:
  std::uint64_t count_ = 0;
  std::map<std::uint64_t, std::pair<std::string, std::string>> points_;
  ScalarDigest digest_;
};

struct Digests {
  CheckedDigest aux;
  std::array<CheckedDigest, 3> rows;
};

// Cases note checkpoints of aux within witness-K.json, fake ones of everything in checkpoints-K.json.
Digests expected_beginnings(const std::string& folder, const std::string& partition, const json& witness) {
  Digests out;
  for (const auto& point : witness.value("checkpoints", json::array()))
    out.aux.expect(point["aux"].get<std::uint64_t>(), point, point["aux_sha256"].get<std::string>());
  const std::string file = folder + "/checkpoints-" + partition + ".json";
  if (has_vector(file))
    for (const auto& point : read_json(*find_vector(file))) {
      out.aux.expect(point["aux"].get<std::uint64_t>(), point, point["digests"][0].get<std::string>());
      for (std::size_t m = 0; m < 3; ++m)
        out.rows[m].expect(point["rows"].get<std::uint64_t>(), point, point["digests"][m + 1].get<std::string>());
    }
  return out;
}

void check_evaluations(const groth16::Shape& shape, const groth16::Witness& witness, const json& expected,
                       Digests& digests) {
  ThreadExecutor executor;
  constexpr std::uint64_t block = std::uint64_t{1} << 20;
  std::array<std::vector<Fr>, 3> values;
  for (std::uint64_t begin = 0; begin < shape.num_rows(); begin += block) {
    const std::uint64_t end = std::min(begin + block, shape.num_rows());
    for (auto& v : values) v.resize(end - begin);
    executor.for_each(
        3, [&](std::uint64_t m) { evaluate_rows(shape, groth16::matrices[m], witness, begin, end, values[m]); });
    for (std::size_t m = 0; m < 3; ++m)
      for (const Fr& value : values[m]) digests.rows[m].add(value);
    for (std::size_t i = 0; i < end - begin; ++i)
      if (values[0][i] * values[1][i] != values[2][i]) FAIL("row " << begin + i << " is not satisfied");
  }
  const std::array names{"a_sha256", "b_sha256", "c_sha256"};
  for (std::size_t m = 0; m < 3; ++m) CHECK(digests.rows[m].hex() == expected[names[m]].get<std::string>());
}

std::string witness_file(const std::string& folder, std::size_t partition) {
  return folder + "/witness-" + std::to_string(partition) + ".json";
}

}  // namespace

bool has_witness(const std::string& folder, std::size_t partition) {
  return has_vector(witness_file(folder, partition));
}

void check_witness_of(const std::string& folder, std::size_t partition, const groth16::Shape& shape,
                      const WriteWitness& write) {
  INFO(folder << ", partition " << partition);
  const auto path = find_vector(witness_file(folder, partition));
  if (!path) return;
  const json file = read_json(*path);
  const json& expected = file.contains("witness") ? file["witness"] : file;

  ThreadExecutor executor;
  circuit::PackedWitness witness(shape);
  const auto start = std::chrono::steady_clock::now();
  write(witness.buffers(), executor);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (shape.num_aux() > 100'000'000)
    WARN(folder << ": " << shape.num_aux() << " variables in " << taken.count() << " s");
  REQUIRE(check_witness(shape, witness.view()));

  const json& inputs = expected.contains("input_values") ? expected["input_values"] : expected["inputs"];
  REQUIRE(inputs.size() == shape.num_inputs());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    REQUIRE(witness.view().inputs[i] == fr_from_hex(inputs[i].get<std::string>()));
  Digests digests = expected_beginnings(folder, std::to_string(partition), expected);
  for (std::uint32_t i = 0; i < shape.num_aux(); ++i) digests.aux.add(aux_value(shape, witness.view(), i));
  REQUIRE(digests.aux.hex() == expected["aux_sha256"].get<std::string>());
  check_evaluations(shape, witness.view(), expected, digests);
}

}  // namespace pinion::test
