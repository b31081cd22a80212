#include "fake_checks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/filecoin/digest.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/groth16/params.hpp>
#include <pinion/test/thread_executor.hpp>

namespace pinion::filecoin::test {

namespace fs = std::filesystem;
using pinion::test::ThreadExecutor;

namespace {

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path().filename());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

FolderRequest::FolderRequest(const fs::path& folder) {
  for (const fs::path& name : files_of(folder))
    files_.push_back({name.string(), pinion::test::read_file(folder / name)});
  for (const File& file : files_) parts_.push_back({file.name.c_str(), {file.bytes.data(), file.bytes.size()}});
}

pinion_request FolderRequest::request(const char* family) const {
  pinion_request out{};
  out.size = sizeof out;
  out.family = family;
  out.params_dir = "";
  out.parts = parts_.data();
  out.part_count = static_cast<std::uint32_t>(parts_.size());
  return out;
}

void check_satisfied(const groth16::Shape& shape, const std::vector<bls::Fr>& public_inputs,
                     const std::function<void(const circuit::WitnessWriter::Buffers&, Executor&)>& write) {
  ThreadExecutor executor;
  circuit::PackedWitness witness(shape);
  write(witness.buffers(), executor);
  const auto inputs = witness.view().inputs;
  REQUIRE(std::equal(inputs.begin() + 1, inputs.end(), public_inputs.begin(), public_inputs.end()));
  REQUIRE(first_unsatisfied_row(shape, witness.view(), executor) == shape.num_rows());
}

void check_accepted(const ProofKind& kind, const Statement& statement, const std::vector<std::uint32_t>& partitions) {
  ThreadExecutor executor;
  const groth16::OwnedShape shape = groth16::build(kind.record(executor), executor);
  REQUIRE(shape->counts() == kind.facts->counts);
  REQUIRE(shape->num_bits() == kind.facts->bits);
  REQUIRE(shape->bytes().size() == kind.facts->shape_bytes());
  REQUIRE(filecoin::to_hex(shape->digest()) == kind.facts->shape_digest);
  REQUIRE(groth16::KeyCounts::of(*shape) == kind.facts->key_counts());
  for (const std::uint32_t k : partitions) {
    INFO(kind.id() << ", partition " << k);
    check_satisfied(*shape, statement.public_inputs(k), [&](const auto& buffers, Executor& threads) {
      statement.write_witness(k, circuit::end_of(*shape), buffers, threads);
    });
  }
}

bool same_files(const fs::path& a, const fs::path& b) {
  const auto names = files_of(a);
  return names == files_of(b) && std::all_of(names.begin(), names.end(), [&](const fs::path& name) {
           return pinion::test::read_file(a / name) == pinion::test::read_file(b / name);
         });
}

}  // namespace pinion::filecoin::test
