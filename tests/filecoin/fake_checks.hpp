// Whether made-up inputs are what they must be: read like any other, satisfying the circuit, with the verifier's public
// inputs.
#pragma once

#include <pinion/proof.h>

#include <filesystem>
#include <pinion/circuit/witness_writer.hpp>
#include <pinion/filecoin_proving/kind_table.hpp>
#include <pinion/filecoin_proving/statement.hpp>
#include <pinion/test/vectors.hpp>
#include <string>
#include <vector>

namespace pinion::filecoin::test {

// The files of a folder as a request, the way the command line sends them.
class FolderRequest {
 public:
  explicit FolderRequest(const std::filesystem::path& folder);
  pinion_request request(const char* family) const;

 private:
  struct File {
    std::string name;
    pinion::test::Bytes bytes;
  };
  std::vector<File> files_;
  std::vector<pinion_part> parts_;
};

// The kind's circuit is what its facts say; and for each of `partitions` every row of it holds, and its inputs are
// those the statement derives.
void check_accepted(const ProofKind& kind, const Statement& statement, const std::vector<std::uint32_t>& partitions);
// The same of a circuit that no kind has: `shape`, and what writes its witness.
void check_satisfied(const groth16::Shape& shape, const std::vector<bls::Fr>& public_inputs,
                     const std::function<void(const circuit::WitnessWriter::Buffers&, Executor&)>& write);

// Two folders with the same files, byte for byte.
bool same_files(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace pinion::filecoin::test
