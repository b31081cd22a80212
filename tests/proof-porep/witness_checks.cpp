#include "witness_checks.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/porep/c1.hpp>
#include <pinion/porep/circuit/porep_circuit.hpp>
#include <pinion/porep/circuit/synthesis.hpp>
#include <pinion/test_circuit/gadget_vectors.hpp>
#include <pinion/test_circuit/row_digest.hpp>
#include <pinion/test_porep/circuit_checks.hpp>

namespace pinion::test {

using circuit::Fr;
using filecoin::PorepSetup;
using filecoin::VanillaPartition;
using filecoin::test::Case;
using nlohmann::json;

namespace {

struct Input {
  PorepSetup setup;
  std::vector<VanillaPartition> partitions;
};

// For files that not every case has, so that their absence is no reason to report a skipped test.
bool has_vector(const std::string& file) {
  return std::filesystem::exists(vectors_dir() / file) || std::filesystem::exists(small_vectors_dir() / file);
}

// A case without a registered proof holds vanilla proofs alone; its commitments stand in meta.json.
std::optional<Input> read_input(const Case& c) {
  const auto meta = filecoin::test::meta_of(c);
  const auto bytes = filecoin::test::input_of(c);
  if (!meta || !bytes) return std::nullopt;
  if (std::string_view(c.file) != "vanilla.json") {
    auto c1 = filecoin::read_c1(*bytes);
    return Input{c1.proof.setup(), std::move(c1.partitions)};
  }
  const PorepSetup setup = filecoin::test::toy_setup(*meta);
  Input input{setup, filecoin::read_vanilla_proofs(*bytes, setup)};
  for (auto& partition : input.partitions) {
    partition.replica_id = fr_from_hex(meta->at("replica_id"));
    partition.comm_d = fr_from_hex(meta->at("comm_d"));
    partition.comm_r = fr_from_hex(meta->at("comm_r"));
  }
  return input;
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
Digests expected_beginnings(const Case& c, const std::string& partition, const json& witness) {
  Digests out;
  for (const auto& point : witness.value("checkpoints", json::array()))
    out.aux.expect(point["aux"].get<std::uint64_t>(), point, point["aux_sha256"].get<std::string>());
  const std::string file = std::string(c.folder) + "/checkpoints-" + partition + ".json";
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

void check_witness_of(const Case& c, const std::string& partition, const Input& input, const groth16::Shape& shape) {
  const auto path = find_vector(std::string(c.folder) + "/witness-" + partition + ".json");
  if (!path) return;
  const json file = read_json(*path);
  const json& expected = file.contains("witness") ? file["witness"] : file;
  const VanillaPartition& values = input.partitions.at(std::stoul(partition));
  REQUIRE(misfit(values, input.setup) == "");

  ThreadExecutor executor;
  const auto hashes = filecoin::porep_hashes();
  circuit::PackedWitness witness(shape);
  const auto start = std::chrono::steady_clock::now();
  write_porep_witness(input.setup, hashes, values, shape, witness.buffers(), executor);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (shape.num_aux() > 100'000'000)
    WARN(c.folder << ": " << shape.num_aux() << " variables in " << taken.count() << " s");
  REQUIRE(check_witness(shape, witness.view()));

  const json& inputs = expected.contains("input_values") ? expected["input_values"] : expected["inputs"];
  REQUIRE(inputs.size() == shape.num_inputs());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    REQUIRE(witness.view().inputs[i] == fr_from_hex(inputs[i].get<std::string>()));
  Digests digests = expected_beginnings(c, partition, expected);
  for (std::uint32_t i = 0; i < shape.num_aux(); ++i) digests.aux.add(aux_value(shape, witness.view(), i));
  REQUIRE(digests.aux.hex() == expected["aux_sha256"].get<std::string>());
  check_evaluations(shape, witness.view(), expected, digests);
}

}  // namespace

void check_witnesses(const Case& c) {
  INFO(c.folder);
  const auto input = read_input(c);
  if (!input) return;
  ThreadExecutor executor;
  const auto shape = groth16::build(filecoin::record_porep(input->setup, filecoin::porep_hashes(), executor), executor);
  for (std::size_t k = 0; k < input->partitions.size(); ++k) {
    const std::string partition = std::to_string(k);
    const std::string file = std::string(c.folder) + "/witness-" + partition + ".json";
    if (has_vector(file)) check_witness_of(c, partition, *input, *shape);
  }
}

}  // namespace pinion::test
